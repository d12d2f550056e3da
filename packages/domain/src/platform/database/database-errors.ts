import { ApiError } from '../process/errors.ts';

/** What the coordinator of a Citus cluster reports as an internal error when it loses a server in the middle of a transaction. */
const LOST_SERVER = /^(could not commit transaction for shard|failure on connection marked as essential)/;
const INTERNAL_ERROR = 'XX000';
const CONNECTION_FAILURE = '08006';

/**
 * Returns whether a prepared statement was rejected because a migration has changed the columns of its result. Its SQLSTATE has many other
 * causes, and its message may be translated.
 */
export function hasStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: unknown; routine?: unknown };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

/** Returns the SQLSTATE of a database error or the code of a network error, searching the chain of causes. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const { code, syscall } = at as { code?: unknown; syscall?: unknown };
    // A Unix socket has no file while its server is stopped, and refuses more waiting connections than the server allows.
    if (syscall === 'connect' && (code === 'ENOENT' || code === 'EAGAIN')) return CONNECTION_FAILURE;
    if (code === INTERNAL_ERROR && LOST_SERVER.test(at.message)) return CONNECTION_FAILURE;
    // Its connection ends, and the statement is prepared anew on the next.
    if (hasStalePlan(at)) return CONNECTION_FAILURE;
    if (typeof code === 'string' && /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(code)) return code;
    if (
      /timeout exceeded when trying to connect|timeout expired|Connection terminated|is not queryable/.test(
        at.message,
      )
    )
      return '08000';
  }
  return undefined;
}

/** Returns whether an error is transient, so that retrying later can succeed. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.apiCode === 'unavailable';
  const state = sqlState(error);
  return state !== undefined && isTransient(state);
}

/**
 * Transient errors: connections (08, network), resources (53), operator intervention (57), serialization failures and deadlocks
 * (40), locks (55P03), a read-only server (25006), a transaction that was idle for too long (25P03), and a rejected sign-in (28): the
 * address may lead to another server for a moment, or the password is just being changed.
 */
function isTransient(state: string): boolean {
  return (
    /^(08|28|53|57|40)/.test(state) ||
    ['55P03', '25006', '25P03'].includes(state) ||
    /^E(CONN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST|NET)/.test(state)
  );
}
