import type { Ticket, TicketMessage } from '@firmdesk/contract';
import type { RawBuilder } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { appendEvents, eventsWrite } from '../../platform/events/append-events.ts';
import type { NewLiveEvent } from '../../platform/events/event-log.ts';
import type { Services } from '../../platform/services.ts';
import { type NewWebhookEvent, webhookWrites } from '../../webhooks/index.ts';
import { isEnded } from '../changes/status.ts';
import { toStoredTicket, withAvatarUrls } from '../ticket-row.ts';
import type { Conversation, TicketState } from '../ticket-state.ts';

/** Events of a ticket or of its messages. */
export type TicketEvent = NewLiveEvent & {
  body: { ticket: Ticket } | { message: TicketMessage } | Record<string, never>;
};

/** Returns the event that shows a message's new state to viewers of the ticket. */
export function messageEvent(
  type: 'message.created' | 'message.updated',
  message: TicketMessage,
): TicketEvent {
  return { subject: message.ticket_id, type, body: { message } };
}

/** Returns the event that shows a ticket's new state to viewers of the ticket and of the firm's inbox. */
export function ticketEvent(ticket: TicketState): TicketEvent {
  return { subject: ticket.id, type: 'ticket.updated', body: { ticket: toStoredTicket(ticket) } };
}

/**
 * Returns the writes that publish a change of a locked ticket, `before`: to its viewers, and to the firm's webhooks.
 */
export function publishWrites(
  ctx: OperationContext,
  before: Conversation & { status?: TicketState['status'] },
  events: readonly TicketEvent[],
): RawBuilder<unknown>[] {
  const writes = [eventsWrite(ctx, before.workspace_id, events)];
  if (!before.has_webhooks) return writes;
  const told = events.flatMap(({ body }): NewWebhookEvent[] => {
    const of = { subject: before.id, person: before.trader_id };
    if ('ticket' in body)
      return [
        {
          ...of,
          type: changeType(before.status, body.ticket),
          data: withAvatarUrls(ctx.services, body.ticket),
        },
      ];
    // A deleted message was that of a reply which was still written.
    if (!('message' in body) || body.message.streaming) return [];
    return [{ ...of, type: 'message.created', data: body.message }];
  });
  if (told.length > 0) writes.push(...webhookWrites(ctx, before.workspace_id, told));
  return writes;
}

function changeType(before: Ticket['status'] | undefined, { status }: Ticket): NewWebhookEvent['type'] {
  return status !== before && isEnded(status) ? `ticket.${status}` : 'ticket.updated';
}

/** Returns the event after which viewers of a ticket load it and its messages again. */
export function refetchEvent(ticketId: string): TicketEvent {
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
