import { PLATFORM, type TicketWithCan } from '@firmdesk/contract';
import { CompiledQuery, sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { isEnded } from './status.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

const ONE_TICKET = selectTicketRows('select t.* from tickets t where t.workspace_id = $1 and t.id = $2');

/** The ticket of an id in a firm, as a list shows it. Raises `resource_not_found`. */
export async function readTicket({ em }: OperationContext, workspaceId: number, id: string) {
  const { rows } = await sqlOf(em).executeQuery(
    CompiledQuery.raw(ONE_TICKET, [workspaceId, id]) as CompiledQuery<TicketRow>,
  );
  if (!rows[0]) throw new ApiError('resource_not_found');
  return toTicket(rows[0]);
}

/** One ticket, and what can be done with it. Raises `resource_not_found`. */
export async function getTicket(ctx: AccountContext, input: { ticket: string }): Promise<TicketWithCan> {
  const ticket = await readTicket(ctx, ctx.workspace.id, input.ticket);
  const { rows } = await sql<{ ai: boolean; manage: boolean }>`
    select w.assistant_enabled_for_team as ai, coalesce('manage_tickets' = any(m.permissions), false) as manage
    from workspaces w
    left join memberships m on m.workspace_id = w.id and m.user_id = ${ctx.identity.user.id}
    where w.id = ${ctx.workspace.id}`.execute(sqlOf(ctx.em));
  const isLive = !isEnded(ticket.status);
  const mayManage = ctx.identity.home.slug === PLATFORM || rows[0]!.manage;
  return {
    ...ticket,
    can: { ai: rows[0]!.ai && isLive, reply: mayManage && isLive, manage: mayManage },
  };
}
