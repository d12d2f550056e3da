import { sql } from 'kysely';
import type { OperationContext } from '../context.ts';
import { sqlOf } from '../database.ts';
import { deferred } from '../prepared.ts';
import type { NewLiveEvent } from './event-log.ts';

/** Appends events to the log in the caller's transaction. Subscribers receive them if, and only if, it commits. */
export async function appendEvents(
  { em, now }: OperationContext,
  events: readonly NewLiveEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await sql`${deferred}
    insert into live_events (workspace_id, ticket_id, user_id, type, body, created_at)
    select workspace_id, ticket_id, user_id, type, body, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${rowsOf(events)}::jsonb)
      as e (at integer, workspace_id integer, ticket_id text, user_id text, type text, body jsonb)
    order by at`.execute(sqlOf(em));
}

function rowsOf(events: readonly NewLiveEvent[]): string {
  return JSON.stringify(
    events.map(({ workspaceId, ticketId, userId, type, body }, at) => ({
      at,
      workspace_id: workspaceId,
      ticket_id: ticketId,
      user_id: userId,
      type,
      body,
    })),
  );
}
