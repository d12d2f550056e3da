import type { Ticket, TicketMessage } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import type { NewLiveEvent } from '../../platform/events/event-log.ts';
import type { Services } from '../../platform/services.ts';
import { toStoredTicket, withAvatarUrls } from '../ticket-row.ts';
import type { TicketState } from '../ticket-state.ts';

/** Returns the event that shows a message's new state to viewers of the ticket. */
export function messageEvent(
  type: 'message.created' | 'message.updated',
  message: TicketMessage,
): NewLiveEvent {
  return { subject: message.ticket_id, type, body: { message } };
}

/** Returns the event that shows a ticket's new state to viewers of the ticket and of the firm's inbox. */
export function ticketEvent(ticket: TicketState): NewLiveEvent {
  return { subject: ticket.id, type: 'ticket.updated', body: { ticket: toStoredTicket(ticket) } };
}

/** Returns the event after which viewers of a ticket load it and its messages again. */
export function refetchEvent(ticketId: string): NewLiveEvent {
  return { subject: ticketId, type: 'resync', body: {} };
}

/** Returns the function that converts stored events of tickets to what viewers receive. */
export function ticketEventToWire(services: Pick<Services, 'publicUrl'>) {
  return ({ body }: Pick<NewLiveEvent, 'body'>): object =>
    'ticket' in body ? { ...body, ticket: withAvatarUrls(services, body.ticket as Ticket) } : body;
}

/** Publishes that a streaming reply restarts: viewers discard the text they have of it. */
export async function publishReset(
  ctx: OperationContext,
  ticket: { id: string; workspace_id: number },
  messageId: string,
): Promise<void> {
  await appendEvents(ctx, ticket.workspace_id, [
    { subject: ticket.id, type: 'text_reset', body: { message_id: messageId } },
  ]);
}
