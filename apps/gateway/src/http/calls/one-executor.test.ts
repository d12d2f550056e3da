import { randomUUID } from 'node:crypto';
import {
  createUserWithToken,
  EFFECTS,
  openSocket,
  openTestGateway,
  type TestGateway,
  testRouter,
} from '@firmdesk/testing/gateway';
import { afterEach, beforeAll, expect, inject, test, vi } from 'vitest';
import type * as Authorize from '../../../../../packages/domain/src/procedures/authorize.ts';

const guard = vi.hoisted(() => {
  // The setup has loaded the domain: it is loaded again, with the function below.
  vi.resetModules();
  return { isClosed: false };
});

// A check added to the one function that every transport calls.
vi.mock('../../../../../packages/domain/src/procedures/authorize.ts', async (importActual) => {
  const actual = await importActual<typeof Authorize>();
  const authorize: typeof actual.authorize = async (...args) => {
    const { ApiError } = await import('@firmdesk/domain');
    if (guard.isClosed) throw new ApiError('forbidden');
    return actual.authorize(...args);
  };
  return { ...actual, authorize };
});

let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  await gateway.services.pool.query(EFFECTS);
  ({ token } = await createUserWithToken(gateway));
  return () => gateway[Symbol.asyncDispose]();
});
afterEach(() => {
  guard.isClosed = false;
  gateway.log.lines.length = 0;
});

/** The ways to call a procedure. Each function returns the error code of the call, or null. */
const ways: Record<string, () => Promise<string | null>> = {
  'a REST mutation': async () => {
    const options = { token, key: randomUUID(), body: { value: randomUUID() } };
    return (await gateway.request('POST /v1/test/effects', options)).body.error?.code ?? null;
  },
  'an RPC mutation': async () =>
    (await gateway.rpc('typed', { token, key: randomUUID(), body: { flag: true, count: 1 } })).code,
  'a call in an RPC batch': async () => {
    const answer = await fetch(`${gateway.url}/trpc/typed,typed?batch=1`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ 0: { json: { flag: true, count: 1 } }, 1: { json: { flag: true, count: 2 } } }),
    });
    const results = (await answer.json()) as { error?: { json: { data: { code: string } } } }[];
    const codes = new Set(results.map(({ error }) => error?.json.data.code ?? null));
    expect(codes.size).toBe(1);
    return [...codes][0]!;
  },
  'a subscription over websocket': async () => {
    const socket = await openSocket(gateway.url, { params: { token } });
    try {
      const answer = await socket.call('subscription', 'ticks', { size: 1, every: 1_000 });
      return answer.code ?? null;
    } finally {
      socket.ws.close();
    }
  },
};

test.each(Object.keys(ways))('a check added to the executor rejects %s', async (way) => {
  expect(await ways[way]!()).toBeNull();
  guard.isClosed = true;
  expect(await ways[way]!()).toBe('forbidden');
});
