import { type RawBuilder, sql } from 'kysely';
import type { OperationContext } from '../database/context.ts';
import { EVENTS_APPENDED, type NewLiveEvent } from './event-log.ts';
import { sendSignal } from './signals/send-signal.ts';

/**
 * Appends events to the firm's log in the caller's transaction. Subscribers receive them if, and only if, it
 * commits. Events of one subject must be appended while a lock of the transaction keeps others from appending to it, for example
 * on the ticket: then they are delivered in this order.
 */
export async function appendEvents(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewLiveEvent[],
): Promise<void> {
  if (events.length > 0) await eventsWrite(ctx, workspaceId, events).execute(ctx.db);
}

/** Returns the write of {@link appendEvents}, for `executeWrites`: at least one event. Subscribers are told after the commit. */
export function eventsWrite(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewLiveEvent[],
): RawBuilder<unknown> {
  sendSignal(ctx, EVENTS_APPENDED, workspaceId);
  // On Citus, `insert … select` goes through the coordinator and commits in two phases.
  const rows = events.map(
    ({ subject, type, body }) =>
      sql`(${workspaceId}, ${subject}, ${type}, ${JSON.stringify(body)}, ${ctx.now.toISOString()})`,
  );
  return sql`insert into event_log (workspace_id, subject, type, body, created_at) values ${sql.join(rows)}`;
}
