import type { LinkedTicket, TicketWithCan } from '@firmdesk/contract';
import { sql } from 'kysely';
import { firmIdOf, isPermitted, isStaffToken } from '../access/policy.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { isEnded } from './changes/status.ts';
import { selectLinks } from './links/ticket-links.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

interface Row extends TicketRow {
  links: LinkedTicket[];
  /** Whether the team may give commands to the assistant. */
  ai: boolean;
  /** Whether the caller may change tickets. */
  manage: boolean;
  /** Whether the team has replied. */
  answered: boolean;
  language: string;
  following: boolean;
}

const [firm, id, caller] = [sql.raw('$1::integer'), sql.raw('$2'), sql.raw('$3')];

const SELECT_TICKET = selectTicketRows({
  firm,
  chosen: sql`select t.* from tickets t where t.workspace_id = ${firm} and t.id = ${id}`,
  columns: sql`
    coalesce((select json_agg(k) from (${selectLinks(firm, id)}) k), '[]') as links,
    (select assistant_enabled_for_team from workspaces where id = ${firm}) as ai,
    exists (
      select from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${firmIdOf(firm)} and u.id = ${caller} and ${sql.raw(isPermitted('manage_tickets'))}) as manage,
    exists (
      select from ticket_messages where workspace_id = ${firm} and ticket_id = ${id} and from_kind = 'admin' and not internal) as answered,
    coalesce(
      (select language from trader_profiles where workspace_id = ${firm} and user_id = t.trader_id),
      (select language from users where id = t.trader_id)) as language,
    exists (
      select from ticket_followers where workspace_id = ${firm} and ticket_id = ${id} and user_id = ${caller}) as following`,
});

/** Returns a ticket and what the caller can do with it. Throws `resource_not_found`. */
export async function getTicket(ctx: AccountContext, input: { ticket: string }): Promise<TicketWithCan> {
  const { rows } = await ctx.services.pool.query<Row>({
    name: 'ticket',
    text: SELECT_TICKET.compile(ctx.db).sql,
    values: [ctx.workspace.id, input.ticket, ctx.identity.user.id],
  });
  const [row] = rows;
  if (!row) throw new ApiError('resource_not_found');
  const ticket = toTicket(ctx, row);
  const isActive = !isEnded(ticket.status);
  const mayManage = isStaffToken(ctx.identity) || row.manage;
  return {
    ...ticket,
    merged_into: row.merged_into,
    links: row.links,
    trader_language: row.language,
    following: row.following,
    can: {
      ai: row.ai && isActive,
      reply: mayManage && isActive,
      manage: mayManage,
      auto_reply: mayManage && isActive && !row.answered,
    },
  };
}
