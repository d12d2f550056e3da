import { sql } from 'kysely';
import { IS_AGENT } from '../access/policy.ts';
import { raiseNotification } from '../notifications/index.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ticketPath } from './ticket-row.ts';

interface AwaitingTicket {
  id: string;
  workspace_id: number;
  number: string;
  subject: string;
  assignee_id: string | null;
  team_id: number | null;
}

/**
 * Raises the notification `ticket_awaiting_admin` (contract §6.1) for the agents to whom the ticket is assigned, directly or
 * by its team; for all agents of the firm if there are none. `by`, the account that caused it, is not notified.
 */
export async function notifyTeam(
  ctx: OperationContext,
  ticket: AwaitingTicket,
  by: string | null,
): Promise<void> {
  const { rows: assignedAgents } = await sql<{ user_id: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${ticket.workspace_id} and ${sql.raw(IS_AGENT)}
      and (m.user_id = ${ticket.assignee_id}
        or m.user_id in (select user_id from team_members where team_id = ${ticket.team_id}))`.execute(
    sqlOf(ctx.em),
  );
  const { slug } = await sqlOf(ctx.em)
    .selectFrom('workspaces')
    .select('slug')
    .where('id', '=', ticket.workspace_id)
    .executeTakeFirstOrThrow();
  await raiseNotification(ctx, {
    workspace: { id: ticket.workspace_id, slug },
    kind: 'ticket_awaiting_admin',
    title: `Ticket #${ticket.number} awaits an answer`,
    body: ticket.subject,
    actionUrl: ticketPath(ticket.id),
    actorId: by,
    to: assignedAgents.length > 0 ? assignedAgents.map(({ user_id }) => user_id) : undefined,
  });
}
