import { sql } from 'kysely';
import type { OperationContext } from '../context.ts';
import { sqlOf } from '../database.ts';
import { deferred } from '../prepared.ts';
import { sendSignal } from '../signals/send-signal.ts';
import { EVENTS_APPENDED, type NewLiveEvent } from './event-log.ts';

/**
 * Appends events to the firm's log in the caller's transaction, without a round trip. Subscribers receive them if, and only if, it
 * commits. Events of one subject must be appended while a lock of the transaction keeps others from appending to it, for example
 * on the ticket: then they are delivered in this order.
 */
export async function appendEvents(
  ctx: OperationContext,
  workspaceId: number,
  events: readonly NewLiveEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = JSON.stringify(events.map((event, at) => ({ at, ...event })));
  await sql`${deferred}
    insert into event_log (workspace_id, subject, type, body, created_at)
    select ${workspaceId}, subject, type, body, ${ctx.now.toISOString()}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as e (at integer, subject text, type text, body jsonb)
    order by at`.execute(sqlOf(ctx.em));
  sendSignal(ctx, EVENTS_APPENDED, workspaceId);
}
