import type { TicketStatus } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { lockTicket, type TicketState } from '../tickets/changes.ts';

/**
 * A reply that the assistant was asked for: by a command of the team, or by a trader's message that it answers. Whoever
 * changes a run holds the lock of its ticket.
 */
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

/** A run with its ticket, locked. Undefined where it went with its ticket. */
export async function lockRun(
  ctx: VerbContext,
  id: string,
): Promise<{ run: Run; ticket: TicketState } | undefined> {
  const db = sqlOf(ctx.em);
  const { rows: found } = await sql<Pick<Run, 'workspace_id' | 'ticket_id'>>`
    select workspace_id, ticket_id from assistant_runs where id = ${id}`.execute(db);
  if (!found[0]) return undefined;
  const ticket = await lockTicket(ctx, found[0].workspace_id, found[0].ticket_id);
  const { rows } = await sql<Run>`select * from assistant_runs where id = ${id} for update`.execute(db);
  return rows[0] && { run: rows[0], ticket };
}

/** The runs of a ticket that have not ended, oldest first. */
export async function pendingRuns({ em }: VerbContext, ticketId: string): Promise<Run[]> {
  const { rows } = await sql<Run>`
    select * from assistant_runs where ticket_id = ${ticketId} and ended_at is null
    order by id for update`.execute(sqlOf(em));
  return rows;
}
