import { setTimeout } from 'node:timers/promises';
import { errorTable } from '@firmdesk/contract';
import { sqlState } from '../platform/database-errors.ts';
import { ApiError } from '../platform/errors.ts';
import { Semaphore } from '../platform/semaphore.ts';
import type { Services } from '../platform/services.ts';
import type { CallContext } from './call-context.ts';
import { errorBody, successBody } from './envelope.ts';
import {
  type Claim,
  claim,
  claimOf,
  findAnswer,
  keepAnswer,
  keepRefusal,
  type Replay,
  readIdempotencyKey,
} from './idempotency.ts';
import type { ProcedureSpec } from './spec.ts';
import { toApiError } from './to-api-error.ts';

const ATTEMPTS = 3;
const WAIT_MS = 10_000;

/** Calls of a node that hold a key, so that a storm of one key waits here and not on connections. */
const runningOf = new WeakMap<Services, Map<string, Promise<unknown>>>();

/** Of procedures that limit how many of their calls run concurrently. */
const semaphoreOf = new WeakMap<ProcedureSpec, Semaphore>();

/** What ran, as tRPC's middleware sees it. */
export type Outcome = { ok: true; data: unknown } | { ok: false; error: unknown };

interface Work {
  spec: ProcedureSpec;
  ctx: CallContext;
  /** Method and path: with the token and the firm, the scope of the key. */
  target: string;
  /** Reads the whole body; refuses what is no JSON object. */
  readInput: () => Promise<unknown>;
  /** Validates the input and does the procedure's work before the transaction; null where it declares none. */
  prepare: (() => Promise<void>) | null;
  /** Validates, runs the operation, checks its answer. */
  run: () => Promise<Outcome>;
}

/**
 * One mutation is one transaction: the claim of its key, what its operation writes, the jobs it enqueues, and the kept
 * answer (contract §1, G-8). A second call with the key waits for the first and is then answered word for word.
 */
export async function runMutation(work: Work): Promise<Outcome> {
  const { spec, ctx } = work;
  const key = readIdempotencyKey(ctx.call.idempotencyKey);
  if (spec.idempotent && key === null) throw new ApiError('missing_idempotency_key');
  let rawInput: unknown;
  try {
    if (ctx.call.unreadable) throw ctx.call.unreadable;
    // The body is read before a transaction is opened: a slow client must not hold one.
    rawInput = await work.readInput();
  } catch (refusal) {
    // A key that has been answered is answered so again, whatever comes with it (G-10).
    const kept =
      key !== null && spec.idempotent
        ? await findAnswer(ctx.em, claimOf(ctx, work.target, key, null), ctx.now)
        : null;
    if (kept) return replayed(ctx, spec, kept);
    throw refusal;
  }
  if (key === null || !spec.idempotent) return prepareAndTransact(work, null);
  const held = claimOf(ctx, work.target, key, rawInput);
  return withKeyLock(ctx.services, held.id.toString('hex'), () => prepareAndTransact(work, held));
}

function transact(work: Work, held: Claim | null): Promise<Outcome> {
  const { spec } = work;
  if (spec.atOnce === null) return attempt(work, held);
  const semaphore = semaphoreOf.get(spec) ?? new Semaphore(spec.atOnce);
  semaphoreOf.set(spec, semaphore);
  // A call that waits holds no connection.
  return semaphore.run(() => attempt(work, held));
}

/** A key that has been answered is answered so again, without the preparation. */
async function prepareAndTransact(work: Work, held: Claim | null): Promise<Outcome> {
  const { spec, ctx, prepare } = work;
  if (prepare) {
    const known = held && (await findAnswer(ctx.em, held, ctx.now));
    if (known) return replayed(ctx, spec, known);
    try {
      await prepare();
    } catch (thrown) {
      return refuse(work, held, thrown);
    }
  }
  return transact(work, held);
}

async function attempt(work: Work, held: Claim | null): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    const outcome = await attemptOnce(work, held);
    const isConflict = !outcome.ok && /^40/.test(sqlState(outcome.error) ?? '');
    if (!isConflict || tried === ATTEMPTS) return outcome;
    work.ctx.em.clear();
  }
}

async function attemptOnce(work: Work, held: Claim | null): Promise<Outcome> {
  const { spec, ctx, run } = work;
  const { em, call, now } = ctx;
  const before = { ...call.reply.headers };
  await em.begin();
  try {
    const replay = held && (await claim(em, held, now));
    if (replay) {
      await em.rollback();
      return replayed(ctx, spec, replay);
    }
    const outcome = await run();
    if (!outcome.ok) throw outcome.error;
    await em.flush();
    call.reply.status ??= spec.status[0] ?? 200;
    call.reply.body = successBody(outcome.data, call.requestId, spec.hasMeta);
    if (held) {
      const { status, headers, body } = call.reply;
      await keepAnswer(em, held, { status, headers: kept(headers), body });
    }
    await em.commit();
    return outcome;
  } catch (thrown) {
    // What the operation meant to say beside its answer goes with it. A transaction that cannot be rolled back has ended.
    Object.assign(call.reply, { status: null, headers: before, body: null });
    if (em.isInTransaction()) await em.rollback().catch(() => {});
    return refuse(work, held, thrown);
  }
}

/** Outside of any transaction: keeps a refusal that followed a lookup under the call's key. */
async function refuse({ spec, ctx }: Work, held: Claim | null, thrown: unknown): Promise<Outcome> {
  const { em, call, now } = ctx;
  const error = toApiError(thrown, spec);
  if (held && errorTable[error.apiCode].replayed) {
    const body = JSON.stringify(errorBody(error, call.requestId));
    const replay = await keepRefusal(em, held, { status: error.status, headers: {}, body }, now);
    if (replay) return replayed(ctx, spec, replay);
  }
  return { ok: false, error };
}

/** The stored answer as this call's: over REST word for word, over RPC as the value or the error that it was. */
function replayed({ call }: CallContext, spec: ProcedureSpec, replay: Replay): Outcome {
  Object.assign(call.reply.headers, replay.headers, { 'Idempotent-Replayed': 'true' });
  if (replay.isOtherBody) call.reply.headers['Idempotency-Body-Mismatch'] = 'true';
  call.reply.status = replay.status;
  call.reply.body = replay.body;
  const answer = JSON.parse(replay.body);
  call.reply.headers['Original-Request'] = answer.meta.request_id;
  if ('error' in answer) return { ok: false, error: new ApiError(answer.error.code, answer.error) };
  if (!spec.hasMeta) return { ok: true, data: answer.data };
  const { request_id: _, ...meta } = answer.meta;
  return { ok: true, data: { data: answer.data, meta } };
}

/** A replay states the budget of the call that asks, not of the one that ran. */
function kept(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('RateLimit-')));
}

/** Runs one call of a key at a time. Throws `idempotency_key_in_use` when the calls before it take longer than the wait limit. */
async function withKeyLock<T>(services: Services, key: string, run: () => Promise<T>): Promise<T> {
  const running = runningOf.get(services) ?? new Map<string, Promise<unknown>>();
  runningOf.set(services, running);
  let late: ReturnType<typeof lateAfter> | null = null;
  // Nothing is awaited between finding the key free and taking it.
  for (let before = running.get(key); before; before = running.get(key)) {
    late ??= lateAfter(WAIT_MS);
    const isLate = await Promise.race([late.passed, before.then(unlessLate, unlessLate)]);
    if (isLate) throw new ApiError('idempotency_key_in_use', { retryAfterSeconds: 1 });
  }
  late?.cancel();
  const mine = run();
  running.set(key, mine);
  try {
    return await mine;
  } finally {
    running.delete(key);
  }
}

function lateAfter(milliseconds: number) {
  const given = new AbortController();
  const passed = setTimeout(milliseconds, true, { ref: false, signal: given.signal }).catch(() => false);
  return { passed, cancel: () => given.abort() };
}

function unlessLate(): boolean {
  return false;
}
