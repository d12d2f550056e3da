import { ApiError } from './errors.ts';

/** A database error's SQLSTATE or a network error's code, wherever in the chain of causes. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string' && /^([0-9A-Z]{5}|E[A-Z_]+)$/.test(code)) return code;
    if (/timeout exceeded when trying to connect|Connection terminated|is not queryable/.test(at.message))
      return '08000';
  }
  return undefined;
}

/** Returns whether an error passes by itself, so that trying again later helps. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ApiError) return error.apiCode === 'unavailable';
  const state = sqlState(error);
  return state !== undefined && isPassing(state);
}

/**
 * Faults that pass: connections (08, network), resources (53), operator intervention (57), locks and deadlocks (40, 55P03),
 * a server that takes no writes (25006), a transaction that was left alone for too long (25P03).
 */
function isPassing(state: string): boolean {
  return (
    /^(08|53|57|40)/.test(state) ||
    ['55P03', '25006', '25P03'].includes(state) ||
    /^E(CONN|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN|HOST|NET)/.test(state)
  );
}
