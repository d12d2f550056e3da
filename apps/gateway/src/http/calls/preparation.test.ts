import { randomUUID } from 'node:crypto';
import { ApiError } from '@firmdesk/domain';
import { accountProcedure, router } from '@firmdesk/domain/testing';
import { unique } from '@firmdesk/testing';
import {
  createUserWithToken,
  EFFECTS,
  openTestGateway,
  type RequestOptions,
  type TestGateway,
  tokenOf,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';

/** The steps of the procedure in order: `prepare` and the value, or `write`. */
const steps: string[] = [];
let gate: Promise<void> | null = null;
let gateway: TestGateway;
let token: string;

const prepared = accountProcedure({
  rest: 'POST /v1/test/prepared',
  tag: 'Test',
  summary: 'Prepare, then write an effect',
  scope: 'mail:write',
  errors: ['resource_not_found'],
  input: z.object({
    value: z.string().min(1),
    refusal: z.enum(['resource_not_found', 'validation_failed']).optional(),
    conflicts: z.int().default(0),
  }),
  output: z.object({ value: z.string() }),
  async prepare(_, { value, refusal, conflicts }) {
    steps.push(`prepare ${value}`);
    await gate;
    if (refusal) throw new ApiError(refusal);
    return { text: `${value}, prepared`, conflicts };
  },
}).mutation(async ({ ctx }) => {
  const { text } = ctx.prepared;
  steps.push('write');
  await ctx.em.execute('insert into effects (value) values (?)', [text]);
  if (ctx.prepared.conflicts-- > 0) {
    await ctx.em.execute(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`);
  }
  return { value: text };
});

beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: router({ prepared }) });
  await gateway.services.pool.query(EFFECTS);
});
afterAll(() => gateway[Symbol.asyncDispose]());
beforeEach(async () => {
  steps.length = 0;
  gate = null;
  token = (await createUserWithToken(gateway)).token;
});

/** The call over each transport. Returns its status, its value or error code, and whether it was replayed. */
const transports: [
  string,
  (options: RequestOptions) => Promise<{ status: number; result: string; replayed: boolean }>,
][] = [
  [
    'REST',
    async (options) => {
      const { status, body, headers } = await gateway.request('POST /v1/test/prepared', {
        token,
        ...options,
      });
      const result = body.error?.code ?? body.data.value;
      return { status, result, replayed: headers.has('idempotent-replayed') };
    },
  ],
  [
    'RPC',
    async (options) => {
      const { status, data, code, headers } = await gateway.rpc('prepared', { token, ...options });
      return { status, result: code ?? data.value, replayed: headers.has('idempotent-replayed') };
    },
  ],
];

describe.each(transports)('a procedure that prepares, over %s,', (_, call) => {
  test('holds no connection while it prepares, and passes the result to the operation', async () => {
    const value = unique('effect');
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    // More calls than connections.
    const answers = Promise.all(Array.from({ length: 12 }, () => call({ body: { value } })));
    await expect.poll(() => steps.length).toBe(12);
    await expect.poll(() => busyConnections()).toBe(0);
    expect(steps).not.toContain('write');
    resolve();
    for (const { status, result } of await answers)
      expect([status, result]).toEqual([200, `${value}, prepared`]);
    expect(await effectsOf(value)).toBe(12);
  });

  test('does not prepare for a rejected caller or input', async () => {
    const value = unique('effect');
    const { user, firm } = await createUserWithToken(gateway);
    const reader = await tokenOf(gateway, user, firm.slug, ['mail:read']);
    expect(await call({ token: 'x', body: { value } })).toMatchObject({ result: 'invalid_token' });
    expect(await call({ token: reader, body: { value } })).toMatchObject({ result: 'insufficient_scope' });
    expect(await call({ key: null, body: { value } })).toMatchObject({ result: 'missing_idempotency_key' });
    expect(await call({ body: { value: '' } })).toMatchObject({ result: 'validation_failed' });
    expect(await call({ body: { value: 'a\0b' } })).toMatchObject({ result: 'validation_failed' });
    expect(steps).toEqual([]);
  });

  test('prepares once per key, for concurrent and later calls', async () => {
    const [value, key] = [unique('effect'), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 5 }, () => call({ key, body: { value } })));
    answers.push(await call({ key, body: { value } }));
    expect(answers.map(({ result }) => result)).toEqual(Array(6).fill(`${value}, prepared`));
    expect(answers.filter(({ replayed }) => replayed)).toHaveLength(5);
    expect(steps).toEqual([`prepare ${value}`, 'write']);
  });

  test('prepares once if its transaction is retried', async () => {
    const value = unique('effect');
    expect(await call({ body: { value, conflicts: 2 } })).toMatchObject({ status: 200 });
    expect(steps).toEqual([`prepare ${value}`, 'write', 'write', 'write']);
    expect(await effectsOf(value)).toBe(1);
  });

  test('stores an error of the preparation only if its code is replayed', async () => {
    const key = randomUUID();
    const invalid = { key, body: { value: 'x', refusal: 'validation_failed' } };
    expect(await call(invalid)).toMatchObject({ result: 'validation_failed', replayed: false });
    const missing = { key, body: { value: 'x', refusal: 'resource_not_found' } };
    expect(await call(missing)).toMatchObject({ result: 'resource_not_found', replayed: false });
    expect(await call(missing)).toMatchObject({ result: 'resource_not_found', replayed: true });
    expect(steps).toEqual(['prepare x', 'prepare x']);
  });
});

function busyConnections(): number {
  const { totalCount, idleCount } = gateway.services.pool;
  return totalCount - idleCount;
}

async function effectsOf(value: string): Promise<number> {
  const { rows } = await gateway.services.pool.query(
    'select count(*)::int as n from effects where value = $1',
    [`${value}, prepared`],
  );
  return rows[0].n;
}
