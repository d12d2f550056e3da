import type { ListTicketMessagesInput, TicketMessage, TicketMessagePage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { MESSAGE_COLUMNS, toTicketMessage } from './ticket-message-row.ts';

/** Returns a page of a ticket's messages and notes, newest first. Throws `resource_not_found`, `invalid_cursor`. */
export async function listTicketMessages(
  { db, workspace }: AccountContext,
  input: z.infer<typeof ListTicketMessagesInput>,
): Promise<z.infer<typeof TicketMessagePage>> {
  const ticket = await db
    .selectFrom('tickets')
    .select('id')
    .where('id', '=', input.ticket)
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirst();
  if (!ticket) throw new ApiError('resource_not_found');
  let query = db
    .selectFrom('ticket_messages')
    .select(MESSAGE_COLUMNS)
    .where('workspace_id', '=', workspace.id)
    .where('ticket_id', '=', ticket.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(input.limit + 1);
  if (input.starting_after !== undefined) {
    const last = await db
      .selectFrom('ticket_messages')
      .select(['created_at', 'id'])
      .where('workspace_id', '=', workspace.id)
      .where('id', '=', input.starting_after)
      .where('ticket_id', '=', ticket.id)
      .executeTakeFirst();
    if (!last) throw new ApiError('invalid_cursor');
    query = query.where(sql<boolean>`(created_at, id) < (${last.created_at}::timestamptz, ${last.id})`);
  }
  const rows = await query.execute();
  const data: TicketMessage[] = rows.slice(0, input.limit).map(toTicketMessage);
  const hasMore = rows.length > input.limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.id : null } };
}
