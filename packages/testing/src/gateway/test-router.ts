import { answerOf } from '@firmdesk/contract';
import { ApiError, newId } from '@firmdesk/domain';
import { accountProcedure, publicProcedure, router } from '@firmdesk/domain/testing';
import { z } from 'zod';

/** A secret in the message of an operation's error. It must not appear in any output. */
export const LEAKED_SECRET = 'postgres://someone:slipped-secret@db.internal';

const Effect = z.object({ object: z.literal('effect'), id: z.string(), value: z.string() });
const EffectInput = z.object({
  value: z.string().min(1),
  /** The error that is thrown after the effect is written; `fault` is an undeclared one. */
  outcome: z
    .enum(['resource_not_found', 'ticket_ended', 'not_a_draft', 'nothing_to_mark', 'fault'])
    .optional(),
  /** The number of attempts that fail with a serialization conflict. */
  conflicts: z.int().default(0),
});

const tries = new Map<string, number>();
const gates = new Map<string, Promise<void>>();

/** Blocks the operation with that value until the returned function is called. */
export function gate(value: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  gates.set(value, promise);
  return resolve;
}

/** Returns whether the operation was called with that value. */
export function hasReached(value: string): boolean {
  return tries.has(value);
}

const effect = (path: '/v1/test/effects' | '/v1/test/others') =>
  accountProcedure({
    rest: `POST ${path}`,
    tag: 'Test',
    summary: 'Write an effect',
    scope: null,
    status: [201],
    errors: ['resource_not_found', 'ticket_ended', 'not_a_draft', 'nothing_to_mark'],
    input: EffectInput,
    output: Effect,
    answer: (output: z.infer<typeof Effect>) => ({
      output,
      headers: { 'X-Effect': encodeURIComponent(output.value) },
    }),
  }).mutation(async ({ ctx, input }) => {
    await ctx.em.execute('insert into effects (value) values (?)', [input.value]);
    const tried = (tries.get(input.value) ?? 0) + 1;
    tries.set(input.value, tried);
    if (tried <= input.conflicts) {
      await ctx.em.execute(`do $$ begin raise exception 'conflict' using errcode = '40001'; end $$`);
    }
    await gates.get(input.value);
    if (input.outcome === 'fault') throw new Error(`could not reach ${LEAKED_SECRET}`);
    if (input.outcome) throw new ApiError(input.outcome);
    return { object: 'effect' as const, id: newId('request', ctx.now), value: input.value };
  });

/** Procedures for tests, which write to a table `effects`. */
export const testRouter = router({
  effect: effect('/v1/test/effects'),
  other: effect('/v1/test/others'),

  paged: accountProcedure({
    rest: 'POST /v1/test/paged',
    tag: 'Test',
    summary: 'Return a meta of its own',
    scope: null,
    input: z.object({}),
    output: answerOf(z.array(Effect), z.object({ has_more: z.boolean() })),
  }).mutation(() => ({ data: [], meta: { has_more: true } })),

  cookie: publicProcedure({
    rest: 'POST /v1/test/cookie',
    tag: 'Test',
    summary: 'Set a cookie',
    input: z.object({ cookie: z.string() }),
    output: z.object({ ok: z.boolean() }),
    answer: ({ cookie }: { cookie: string }) => ({
      output: { ok: true },
      headers: { 'Set-Cookie': `test=${cookie}` },
    }),
  }).mutation(({ input }) => input),

  fault: publicProcedure({
    rest: 'GET /v1/test/fault',
    tag: 'Test',
    summary: 'Fail',
    input: z.object({ how: z.enum(['throw', 'database', 'answer']).default('throw') }),
    output: z.object({ ok: z.boolean() }),
  }).query(async ({ ctx, input }) => {
    if (input.how === 'database') await ctx.em.execute(`select 1 from "${LEAKED_SECRET}"`);
    if (input.how === 'answer') return { ok: LEAKED_SECRET as never };
    throw new Error(`could not reach ${LEAKED_SECRET}`);
  }),

  typed: accountProcedure({
    rest: 'PUT /v1/test/typed',
    tag: 'Test',
    summary: 'Return two fields of the input',
    scope: null,
    input: z.object({
      flag: z.boolean(),
      count: z.int(),
      text: z.string().optional(),
      nested: z.object({ flags: z.array(z.boolean()) }).optional(),
    }),
    output: z.object({ flag: z.boolean(), count: z.int() }),
  }).mutation(({ input: { flag, count } }) => ({ flag, count })),

  slow: accountProcedure({
    tag: 'Test',
    summary: 'Wait in the database',
    scope: null,
    input: z.object({ seconds: z.number().max(5) }),
    output: z.object({ ok: z.boolean() }),
  }).mutation(async ({ ctx, input }) => {
    await ctx.em.execute('select pg_sleep(?)', [input.seconds]);
    return { ok: true };
  }),

  ticks: accountProcedure({
    tag: 'Test',
    summary: 'Stream texts of a size until stopped',
    scope: null,
    input: z.object({ size: z.int().max(65_536), every: z.int().min(0) }),
    output: z.any(),
  }).subscription(async function* ({ input, signal }) {
    for (let n = 0; !signal?.aborted; n++) {
      yield { n, text: 'x'.repeat(input.size) };
      await new Promise((resolve) => setTimeout(resolve, input.every));
    }
  }),
});

/** The statement that creates the table `effects`. */
export const EFFECTS =
  'create table effects (id integer generated always as identity primary key, value text not null)';
