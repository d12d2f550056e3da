import type { TicketMessage } from '@firmdesk/contract';
import { CompiledQuery } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { appendEvents } from '../platform/events/append-events.ts';
import { selectTicketRows, type TicketRow, toTicket } from './ticket-row.ts';

/** Publishes a message's new state to viewers, in the transaction that changes it. */
export async function publishMessage(
  ctx: OperationContext,
  type: 'message.created' | 'message.updated',
  workspaceId: number,
  message: TicketMessage,
): Promise<void> {
  await appendEvents(ctx, [{ workspaceId, ticketId: message.ticket_id, type, body: { message } }]);
}

/** Publishes that a streaming reply restarts: viewers discard the text they have of it. */
export async function publishReset(
  ctx: OperationContext,
  ticket: { id: string; workspace_id: number },
  messageId: string,
): Promise<void> {
  const { id: ticketId, workspace_id: workspaceId } = ticket;
  await appendEvents(ctx, [{ workspaceId, ticketId, type: 'text_reset', body: { message_id: messageId } }]);
}

const CHANGED_TICKET = selectTicketRows('select t.* from tickets t where t.id = $1');

/** Publishes a ticket's new state to viewers of the ticket and of the firm's inbox, in the transaction that changes it. */
export async function publishTicket(
  ctx: OperationContext,
  workspaceId: number,
  ticketId: string,
): Promise<void> {
  const { rows } = await sqlOf(ctx.em).executeQuery(
    CompiledQuery.raw(CHANGED_TICKET, [ticketId]) as CompiledQuery<TicketRow>,
  );
  await appendEvents(
    ctx,
    rows.map((row) => ({ workspaceId, ticketId, type: 'ticket.updated', body: { ticket: toTicket(row) } })),
  );
}
