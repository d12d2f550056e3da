import { errorTable } from '@firmdesk/contract';
import { sqlState } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { ApiError } from '../platform/process/errors.ts';
import { type Call, fillReply } from './call.ts';
import { type CallContext, firmOf } from './call-context.ts';
import { errorBody, successBody } from './envelope.ts';
import {
  type Claim,
  claimKey,
  claimOf,
  findStoredResponse,
  type Replay,
  readIdempotencyKey,
  replay,
  type StoredResponse,
  storeErrorResponse,
  storeResponse,
} from './idempotency.ts';
import { lockKey } from './key-lock.ts';
import { runInTurn } from './run-in-turn.ts';
import { readValidInput, runOperation } from './run-operation.ts';
import type { ProcedureSpec } from './spec.ts';
import { toApiError } from './to-api-error.ts';

const ATTEMPTS = 3;

/**
 * Runs a mutation. One mutation is one transaction: the claim of its key, the writes of its operation, the jobs it enqueues,
 * and the stored response (contract §1, G-8). A second call with the key waits for the first and replays its response.
 */
export async function runMutation(spec: ProcedureSpec, call: Call, ctx: CallContext): Promise<unknown> {
  const key = spec.idempotent ? readIdempotencyKey(call.idempotencyKey) : null;
  if (spec.idempotent && key === null) throw new ApiError('missing_idempotency_key');
  try {
    // The input is read before the transaction begins, so that a slow client holds no connection.
    await call.readInput();
  } catch (refusal) {
    // A known key replays its response even if this body cannot be read (G-10).
    const known = key === null ? null : await findStoredResponse(ctx.db, claimOf(call, ctx, key), ctx.now);
    if (known) return replay(spec, call, known);
    throw refusal;
  }
  const claim = key === null ? null : claimOf(call, ctx, key);
  using _lock = claim && (await lockKey(ctx.services, claim.id.toString('hex')));
  if (spec.prepare) {
    const known = claim && (await findStoredResponse(ctx.db, claim, ctx.now));
    if (known) return replay(spec, call, known);
    try {
      Object.assign(ctx, { prepared: await spec.prepare(ctx, await readValidInput(spec, call)) });
    } catch (thrown) {
      return await storeAndThrow(spec, call, ctx, claim, thrown);
    }
  }
  const run = () =>
    runInTurn(spec, call, ctx, () =>
      ctx.services.firmServers.run(firmOf(ctx), () => transact(spec, call, ctx, claim)),
    );
  // A call that waits for a permit holds no connection.
  return await (spec.limit ? spec.limit(run) : run());
}

/** Runs the operation in a transaction with the claim of its key. Retries a serialization failure or a deadlock. */
async function transact(
  spec: ProcedureSpec,
  call: Call,
  ctx: CallContext,
  claim: Claim | null,
): Promise<unknown> {
  const { em, now } = ctx;
  for (let attempt = 1; ; attempt++) {
    let done: { known: Replay } | { output: unknown; answer: StoredResponse };
    try {
      done = await inTransaction(ctx, async (inside) => {
        const known = claim && (await claimKey(inside.db, claim, now));
        if (known) return { known };
        const { output, status = spec.status[0]!, headers = {} } = await runOperation(spec, call, inside);
        const answer = { status, headers, body: successBody(output, call.requestId, spec.hasMeta) };
        if (claim) await storeResponse(inside.db, claim, answer);
        return { output, answer };
      });
    } catch (thrown) {
      const isConflict = /^40/.test(sqlState(thrown) ?? '');
      if (!isConflict || attempt === ATTEMPTS) return await storeAndThrow(spec, call, ctx, claim, thrown);
      em.clear();
      continue;
    }
    if ('known' in done) return replay(spec, call, done.known);
    fillReply(call.reply, done.answer);
    return done.output;
  }
}

/**
 * Throws the error as an {@link ApiError}, and stores it under the call's key if its code is replayed. Returns the response to
 * another call that used the key in the meantime. Runs outside of any transaction.
 */
async function storeAndThrow(
  spec: ProcedureSpec,
  call: Call,
  ctx: CallContext,
  claim: Claim | null,
  thrown: unknown,
): Promise<unknown> {
  const error = toApiError(thrown, spec);
  if (claim && errorTable[error.apiCode].replayed) {
    const body = JSON.stringify(errorBody(error, call.requestId));
    const known = await storeErrorResponse(
      ctx.db,
      claim,
      { status: error.status, headers: {}, body },
      ctx.now,
    );
    if (known) return replay(spec, call, known);
  }
  throw error;
}
