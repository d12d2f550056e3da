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
  // A statement each, sent together: on Citus, `insert … select` goes through the coordinator and commits in two phases.
  for (const { subject, type, body } of events)
    await sql`${deferred}
      insert into event_log (workspace_id, subject, type, body, created_at)
      values (${workspaceId}, ${subject}, ${type}, ${JSON.stringify(body)}, ${ctx.now.toISOString()})`.execute(
      sqlOf(ctx.em),
    );
  sendSignal(ctx, EVENTS_APPENDED, workspaceId);
}
