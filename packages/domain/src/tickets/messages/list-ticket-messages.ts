import type { ListTicketMessagesInput, TicketMessage, TicketMessagePage } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { MESSAGE_COLUMNS, type MessageRow, toTicketMessage } from './ticket-message-row.ts';

/**
 * Selects the messages of a ticket ($2) of a firm ($1), the latest $3 or those before one of them ($4). A ticket without such messages has one
 * row without a message.
 */
const select = (cursor: string, joined: string, before: string) => `
  select ${MESSAGE_COLUMNS.map((column) => `m.${column}`).join(', ')}, ${cursor} as cursor
  from tickets t ${joined}
  left join lateral (
    select ${MESSAGE_COLUMNS.join(', ')} from ticket_messages
    where workspace_id = $1 and ticket_id = t.id ${before}
    order by created_at desc, id desc limit $3) m on true
  where t.workspace_id = $1 and t.id = $2
  order by m.created_at desc, m.id desc`;
const LATEST = { name: 'ticket-messages', text: select('null', '', '') };
const EARLIER = {
  name: 'earlier-ticket-messages',
  text: select(
    'c.id',
    'left join ticket_messages c on c.workspace_id = $1 and c.ticket_id = t.id and c.id = $4',
    'and (created_at, id) < (c.created_at, c.id)',
  ),
};

/** Returns a page of a ticket's messages and notes, newest first. Throws `resource_not_found`, `invalid_cursor`. */
export async function listTicketMessages(
  { services, workspace }: AccountContext,
  { ticket, limit, starting_after: cursor }: z.infer<typeof ListTicketMessagesInput>,
): Promise<z.infer<typeof TicketMessagePage>> {
  const { rows } = await services.pool.query<MessageRow & { cursor: string | null }>({
    ...(cursor === undefined ? LATEST : EARLIER),
    values: [workspace.id, ticket, limit + 1, ...(cursor === undefined ? [] : [cursor])],
  });
  if (!rows[0]) throw new ApiError('resource_not_found');
  if (cursor !== undefined && rows[0].cursor === null) throw new ApiError('invalid_cursor');
  const messages = rows.filter(({ id }) => id !== null);
  const data: TicketMessage[] = messages.slice(0, limit).map(toTicketMessage);
  const hasMore = messages.length > limit;
  return { data, meta: { has_more: hasMore, next_cursor: hasMore ? data.at(-1)!.id : null } };
}
