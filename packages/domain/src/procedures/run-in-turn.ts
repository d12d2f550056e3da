import pLimit from 'p-limit';
import { ApiError } from '../platform/process/errors.ts';
import { authorize } from './authorize.ts';
import type { Call } from './call.ts';
import type { AccountContext, CallContext } from './call-context.ts';
import type { ProcedureSpec } from './spec.ts';

/** How many calls of an account wait in a process. */
const MAX_WAITING = 1_000;
/** The connections that an account leaves to others while no other calls. */
const SPARE = 2;
/** How long an authorization lasts. A call that has waited for longer, for its turn or for a slow client, is authorized again. */
const AUTHORIZED_MS = 1_000;

interface Account {
  limit: ReturnType<typeof pLimit>;
  /** The calls that run or wait. */
  calls: number;
}

declare module '../platform/services.ts' {
  interface Services {
    /** The accounts whose calls run or wait in this process, by id. */
    callingAccounts: Map<string, Account>;
  }
}

/** Returns how many connections an account uses at most. */
function shareOf(connections: number, accounts: number): number {
  const half = Math.max(1, Math.floor(connections / 2));
  return accounts > 1 ? half : Math.max(half, connections - SPARE);
}

/**
 * Runs the part of a call that uses the database. Calls of one account run on at most half of the connections, or on all but two while no
 * other account calls, so that no account takes the process from others; its further calls wait. Throws `rate_limited` if too many do, and the error of `authorize` if the rights of the
 * call have ended meanwhile.
 */
export async function runInTurn<T>(
  spec: ProcedureSpec,
  call: Call,
  ctx: CallContext,
  run: () => Promise<T>,
): Promise<T> {
  const { services } = ctx;
  const runAuthorized = async () => {
    if (services.clock.now().getTime() - ctx.now.getTime() > AUTHORIZED_MS)
      await authorize(spec, services, call, { isAgain: true });
    return await run();
  };
  if (!('identity' in ctx)) return await runAuthorized();
  const { id } = (ctx as AccountContext).identity.user;
  const accounts = services.callingAccounts;
  const { max } = services.pool.options;
  const account = accounts.get(id) ?? { limit: pLimit(shareOf(max, accounts.size + 1)), calls: 0 };
  if (account.calls >= account.limit.concurrency + MAX_WAITING)
    throw new ApiError('rate_limited', { retryAfterSeconds: 1, limit: 'waiting_calls' });
  accounts.set(id, account);
  const divide = () => {
    for (const { limit } of accounts.values()) limit.concurrency = shareOf(max, accounts.size);
  };
  if (accounts.size === 2) divide();
  account.calls++;
  try {
    return await account.limit(runAuthorized);
  } finally {
    account.calls--;
    if (account.calls === 0) accounts.delete(id);
    if (accounts.size === 1) divide();
  }
}
