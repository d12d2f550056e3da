import { type RawBuilder, sql } from 'kysely';
import { firmIdOf, IS_AGENT, MAY_ANSWER } from '../../access/policy.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ticketPath } from '../ticket-row.ts';
import type { TicketState } from '../ticket-state.ts';

type NotifiedTicket = Pick<
  TicketState,
  'id' | 'workspace_id' | 'number' | 'subject' | 'assignee_id' | 'team_id'
>;

/** Returns the statement that selects the agents whom {@link notifyTeam} notifies. */
function selectAgents({
  workspace_id,
  assignee_id,
  team_id,
}: Pick<NotifiedTicket, 'workspace_id' | 'assignee_id' | 'team_id'>): RawBuilder<{ user_id: string }> {
  const agents = sql`
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace_id)} and ${sql.raw(IS_AGENT)}`;
  // Reads all agents only if none of those assigned may answer, as a firm can have hundreds.
  return sql<{ user_id: string }>`
    with assigned as materialized (
      select m.user_id, ${sql.raw(MAY_ANSWER)} as may_answer ${agents} and m.user_id = any(array(
        select ${assignee_id}::text union all
        select user_id from team_members where workspace_id = ${workspace_id} and team_id = ${team_id})))
    select user_id from assigned
    union all (
      select m.user_id ${agents} and not exists (select from assigned where may_answer)
        and (${sql.raw(MAY_ANSWER)} or not exists (select from assigned))
      order by m.user_id)`;
}

/**
 * Raises the notification `ticket_awaiting_admin` (contract §6.1), by default that it awaits an answer, for the agents to whom the ticket is assigned, directly or
 * by its team; if none of them may answer, also for all who may; for all agents of the firm if nobody is assigned. `except` are not notified: the account that caused it, and those who
 * learn of it otherwise. Returns the recipients.
 */
export async function notifyTeam(
  ctx: OperationContext,
  ticket: NotifiedTicket,
  except: readonly (string | null)[] = [],
  title = `Ticket #${ticket.number} awaits an answer`,
): Promise<string[]> {
  const { rows } = await selectAgents(ticket).execute(ctx.db);
  const recipients = rows.map(({ user_id }) => user_id).filter((id) => !except.includes(id));
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      title,
      body: ticket.subject,
      actionUrl: ticketPath(ticket.id),
    },
    recipients,
  );
  return recipients;
}
