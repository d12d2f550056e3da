import type { OperationContext } from '../../platform/database/context.ts';
import { type DelayedSendRow, lockTicketWithDelayed, type TicketState } from '../ticket-state.ts';

export interface LockedTicket {
  ticket: TicketState;
  delayed: DelayedSendRow[];
}

/**
 * Locks two tickets of the firm, in the order of their ids, so that two callers do not wait for each other. Returns them in the order
 * given. Throws `resource_not_found`.
 */
export async function lockBoth(
  ctx: OperationContext,
  workspaceId: number,
  [one, other]: readonly [string, string],
): Promise<[LockedTicket, LockedTicket]> {
  // Both tickets are read, even if the first does not exist: otherwise the time of the answer would tell which of the two is
  // missing.
  const lock = (id: string) => lockTicketWithDelayed(ctx, workspaceId, id).catch((error: Error) => error);
  const isFirst = one < other;
  const first = await lock(isFirst ? one : other);
  const second = await lock(isFirst ? other : one);
  if (first instanceof Error) throw first;
  if (second instanceof Error) throw second;
  return isFirst ? [first, second] : [second, first];
}
