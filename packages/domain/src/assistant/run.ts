import type { MessageAuthor, TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';

/** A reply that the assistant was asked for: by a command of the team, or by a trader's message that it answers. */
export interface Run {
  id: string;
  workspace_id: number;
  ticket_id: string;
  kind: 'command' | 'answer';
  instruction: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed';
  allowed: boolean;
  attempt: number;
  message_id: string | null;
  status_before: TicketStatus;
  last_message_at: string;
  ended_at: string | null;
}

/** A ticket as far as runs look at it. */
export interface RunTicket {
  id: string;
  workspace_id: number;
  status: TicketStatus;
  ai_enabled: boolean;
  subject: string;
  last_from: MessageAuthor | null;
  last_message_at: string;
}

export const isEnded = (status: TicketStatus) => status === 'resolved' || status === 'closed';

/** Locks a ticket; whoever changes a run of its holds this lock. Undefined where the firm has no such ticket. */
export async function lockTicket(
  { em }: VerbContext,
  id: string,
  workspaceId?: number,
): Promise<RunTicket | undefined> {
  const { rows } = await sql<RunTicket>`
    select id, workspace_id, status, ai_enabled, subject, last_from, last_message_at from tickets
    where id = ${id} and workspace_id = coalesce(${workspaceId ?? null}::integer, workspace_id)
    for no key update`.execute(sqlOf(em));
  return rows[0];
}

/** A run, under the lock of its ticket. Undefined where it went with its ticket. */
export async function lockRun(
  ctx: VerbContext,
  id: string,
): Promise<{ run: Run; ticket: RunTicket } | undefined> {
  const found = await sql<{ ticket_id: string }>`
    select ticket_id from assistant_runs where id = ${id}`.execute(sqlOf(ctx.em));
  const ticket = found.rows[0] && (await lockTicket(ctx, found.rows[0].ticket_id));
  const { rows } = await sql<Run>`select * from assistant_runs where id = ${id} for update`.execute(
    sqlOf(ctx.em),
  );
  return ticket && rows[0] && { run: rows[0], ticket };
}

/** The runs of a ticket that have not ended, oldest first; under its lock. */
export async function pendingRuns({ em }: VerbContext, ticketId: string): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select * from assistant_runs where ticket_id = ${ticketId} and ended_at is null
    order by id for update`.execute(sqlOf(em));
  return rows;
}
