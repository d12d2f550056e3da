import type { Topic } from '../../platform/events/event-log.ts';

/** All events of one ticket. */
export function ticketTopic(workspaceId: number, ticketId: string): Topic {
  return { workspaceId, subject: ticketId };
}

/** The changes of all tickets of a firm. */
export function inboxTopic(workspaceId: number): Topic {
  return { workspaceId, type: 'ticket.updated' };
}
