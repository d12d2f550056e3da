import type { TicketWithCan } from '@firmdesk/contract';
import { sql } from 'kysely';
import { isPermitted, isStaffToken } from '../access/policy.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { isEnded } from './changes/status.ts';
import { readLinks } from './links/ticket-links.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

async function readRow(ctx: OperationContext, workspaceId: number, id: string): Promise<TicketRow> {
  const firm = sql`${workspaceId}::integer`;
  const chosen = sql`select t.* from tickets t where t.workspace_id = ${firm} and t.id = ${id}`;
  const { rows } = await selectTicketRows({ firm, chosen }).execute(ctx.db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return rows[0];
}

/** Returns a ticket and what the caller can do with it. Throws `resource_not_found`. */
export async function getTicket(ctx: AccountContext, input: { ticket: string }): Promise<TicketWithCan> {
  const row = await readRow(ctx, ctx.workspace.id, input.ticket);
  const ticket = toTicket(ctx, row);
  const links = await readLinks(ctx, ctx.workspace.id, ticket.id);
  const { rows } = await sql<{
    ai: boolean;
    manage: boolean;
    answered: boolean;
    language: string;
    following: boolean;
  }>`
    select w.assistant_enabled_for_team as ai, exists (
      select from memberships m join users u on u.id = m.user_id
      where m.workspace_id = coalesce(w.sandbox_of, w.id) and u.id = ${ctx.identity.user.id} and ${sql.raw(isPermitted('manage_tickets'))}) as manage, exists (
      select from ticket_messages where workspace_id = ${ctx.workspace.id} and ticket_id = ${ticket.id} and from_kind = 'admin'
        and not internal) as answered, coalesce(
      (select language from trader_profiles where workspace_id = ${ctx.workspace.id} and user_id = ${ticket.trader.id}),
      (select language from users where id = ${ticket.trader.id})) as language, exists (
      select from ticket_followers where workspace_id = ${ctx.workspace.id} and ticket_id = ${ticket.id}
        and user_id = ${ctx.identity.user.id}) as following
    from workspaces w where w.id = ${ctx.workspace.id}`.execute(ctx.db);
  const isActive = !isEnded(ticket.status);
  const mayManage = isStaffToken(ctx.identity) || rows[0]!.manage;
  return {
    ...ticket,
    merged_into: row.merged_into,
    links,
    trader_language: rows[0]!.language,
    following: rows[0]!.following,
    can: {
      ai: rows[0]!.ai && isActive,
      reply: mayManage && isActive,
      manage: mayManage,
      auto_reply: mayManage && isActive && !rows[0]!.answered,
    },
  };
}
