import pLimit from 'p-limit';
import { ApiError } from '../platform/process/errors.ts';
import { authorize } from './authorize.ts';
import type { Call } from './call.ts';
import type { AccountContext, CallContext } from './call-context.ts';
import type { ProcedureSpec } from './spec.ts';

/** How many calls of an account wait in a process. */
const MAX_WAITING = 1_000;
/** The connections that the accounts which call leave to others, as long as each of them has {@link LEAST}. */
const SPARE = 2;
const LEAST = 2;
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
  const free = connections - SPARE;
  return accounts > 1 ? Math.min(half, Math.max(LEAST, Math.floor(free / accounts))) : Math.max(half, free);
}

/**
 * Runs the part of a call that uses the database. The accounts that call share all connections but two, so that neither one nor a few of them
 * take the process from others; the further calls of each wait. Throws `rate_limited` if too many do, and the error of `authorize` if the rights of the
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
  const known = accounts.get(id);
  const account = known ?? { limit: pLimit(shareOf(max, accounts.size + 1)), calls: 0 };
  if (account.calls >= account.limit.concurrency + MAX_WAITING)
    throw new ApiError('rate_limited', { retryAfterSeconds: 1, limit: 'waiting_calls' });
  accounts.set(id, account);
  if (!known) divide(accounts, max);
  account.calls++;
  try {
    return await account.limit(runAuthorized);
  } finally {
    account.calls--;
    if (account.calls === 0 && accounts.delete(id)) divide(accounts, max);
  }
}

/** Gives the accounts that call their shares of the connections. */
function divide(accounts: ReadonlyMap<string, Account>, connections: number): void {
  const share = shareOf(connections, accounts.size);
  for (const { limit } of accounts.values()) if (limit.concurrency !== share) limit.concurrency = share;
}
