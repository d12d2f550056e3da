import { sql } from 'kysely';
import { IS_AGENT } from '../access/policy.ts';
import { storeNotifications } from '../notifications/index.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { prepared } from '../platform/prepared.ts';
import { ticketPath } from './ticket-row.ts';
import type { TicketState } from './ticket-state.ts';

/**
 * Raises the notification `ticket_awaiting_admin` (contract §6.1) for the agents to whom the ticket is assigned, directly or
 * by its team; for all agents of the firm if there are none. `by`, the account that caused it, is not notified.
 */
export async function notifyTeam(
  ctx: OperationContext,
  ticket: Pick<TicketState, 'id' | 'workspace_id' | 'number' | 'subject' | 'assignee_id' | 'team_id'>,
  by: string | null,
): Promise<void> {
  const { rows: agents } = await sql<{ user_id: string; is_assigned: boolean }>`${prepared}
    select m.user_id, coalesce(m.user_id = ${ticket.assignee_id}, false) or m.user_id in (
      select user_id from team_members
        where workspace_id = ${ticket.workspace_id} and team_id = ${ticket.team_id}) as is_assigned
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${ticket.workspace_id} and ${sql.raw(IS_AGENT)} order by m.user_id`.execute(
    sqlOf(ctx.em),
  );
  const assigned = agents.filter(({ is_assigned }) => is_assigned);
  const recipients = (assigned.length > 0 ? assigned : agents).map(({ user_id }) => user_id);
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      title: `Ticket #${ticket.number} awaits an answer`,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    recipients.filter((id) => id !== by),
  );
}
