import { firmSlug } from '../access/workspaces/sandbox.ts';
import { ApiError } from '../platform/process/errors.ts';
import { authorize } from './authorize.ts';
import type { Call } from './call.ts';
import type { AccountContext, CallContext } from './call-context.ts';
import type { Shares } from './shares.ts';
import type { ProcedureSpec } from './spec.ts';

/** How many calls of an account wait in a process. */
const MAX_WAITING = 1_000;
/** How long an authorization lasts. A call that has waited for longer, for its turn or for a slow client, is authorized again. */
const AUTHORIZED_MS = 1_000;

declare module '../platform/services.ts' {
  interface Services {
    /** The accounts whose calls run or wait in this process, by id, and their firms. */
    callingAccounts: Shares;
    callingFirms: Shares;
  }
}

/**
 * Runs the part of a call that uses the database. The accounts, and the firms, share the connections but for spare ones, so that neither one account nor
 * those of one firm take the process from others; the further calls of each wait. Throws `rate_limited` if too many do, and the error of `authorize` if the rights of
 * the call have ended meanwhile.
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
  const { user, home } = (ctx as AccountContext).identity;
  const { callingAccounts, callingFirms, pool } = services;
  const connections = pool.options.max;
  if (callingAccounts.waiting(user.id) >= MAX_WAITING)
    throw new ApiError('rate_limited', { retryAfterSeconds: 1, limit: 'waiting_calls' });
  return callingAccounts.run(user.id, connections, () =>
    callingFirms.run(firmSlug(home.slug), connections, runAuthorized),
  );
}
