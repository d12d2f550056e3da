import { publicProcedure, router } from '@firmdesk/domain/testing';
import { openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';

const Seen = z.object({
  if_match: z.string().nullable(),
  sessions: z.array(z.string()),
});

const seen = (requestHeaders?: readonly ('If-Match' | 'Cookie')[]) =>
  publicProcedure({
    tag: 'Test',
    summary: 'Return the headers that reach the operation',
    ...(requestHeaders && { requestHeaders }),
    input: z.object({}),
    output: Seen,
  }).query(({ ctx: { call } }) => ({
    if_match: call.ifMatch,
    sessions: [...call.sessions.keys()],
  }));

let operations = 0;
const SECRET = 'only-for-the-header';

const testRouter = router({
  undeclared: seen(),
  declared: seen(['If-Match', 'Cookie']),
  large: publicProcedure({
    rest: 'GET /v1/test/large',
    tag: 'Test',
    summary: 'Return numbers',
    input: z.object({}),
    output: z.object({ data: z.array(z.int()), meta: z.object({ count: z.int() }) }),
    answer: (count: number) => ({
      output: { data: Array.from({ length: count }, (_, i) => i), meta: { count } },
      headers: { 'X-Written': 'by answer' },
    }),
  }).query(() => 3),
  created: publicProcedure({
    rest: 'POST /v1/test/created',
    tag: 'Test',
    summary: 'Answer with a status and a header',
    status: [200, 201],
    input: z.object({}),
    output: z.object({ ok: z.boolean() }),
    answer: ({ ok, secret }: { ok: boolean; secret: string }) => ({
      output: { ok },
      status: 201,
      headers: { 'Set-Cookie': secret },
    }),
  }).mutation(() => {
    operations++;
    return { ok: true, secret: `${SECRET}=${operations}` };
  }),
});

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  return () => gateway[Symbol.asyncDispose]();
});

describe('request headers', () => {
  const call = (name: string) =>
    gateway.rpc(name, {
      body: {},
      token: null,
      workspace: 'acme',
      headers: { 'if-match': '"1"', cookie: 'firmdesk_session_acme=t', origin: new URL(gateway.url).origin },
    });

  test('reach an operation whose procedure declares them', async () => {
    const { data } = await call('declared');
    expect(data).toEqual({ if_match: '"1"', sessions: ['acme'] });
  });

  test('do not reach other operations', async () => {
    const { data } = await call('undeclared');
    expect(data).toEqual({ if_match: null, sessions: [] });
  });
});

describe('a declared answer', () => {
  test('is sent and replayed with its status and headers, and its output alone is in the body', async () => {
    const options = { key: '0b5c0f0e-6f5a-4c1e-9d55-6f1f6f0b9d11', body: {} };
    const first = await gateway.request('POST /v1/test/created', options);
    expect([first.status, first.headers.get('set-cookie')]).toEqual([201, `${SECRET}=1`]);
    expect(first.body.data).toEqual({ ok: true });
    const again = await gateway.request('POST /v1/test/created', options);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect([again.status, again.headers.get('set-cookie'), again.text]).toEqual([
      201,
      `${SECRET}=1`,
      first.text,
    ]);
    expect(operations).toBe(1);
  });

  test('is sent over RPC with its headers', async () => {
    const answer = await gateway.rpc('large', { body: {} });
    expect(answer.data).toEqual({ data: [0, 1, 2], meta: { count: 3 } });
    expect(answer.headers.get('x-written')).toBe('by answer');
  });

  test('is sent over REST with the request id first in its meta', async () => {
    const answer = await gateway.request('GET /v1/test/large');
    expect(answer.text).toBe(
      `{"data":[0,1,2],"meta":{"request_id":"${answer.headers.get('x-request-id')}","count":3}}`,
    );
  });
});
