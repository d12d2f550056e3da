import type { Topic, TopicKind } from '../platform/events/event-log.ts';

const ticketEvents: TopicKind = {
  name: 'live-ticket',
  condition: 'ticket_id = $3',
  keyOf: ({ ticketId }) => ticketId ?? null,
};

const inboxEvents: TopicKind = {
  name: 'live-inbox',
  condition: `workspace_id = $3 and type = 'ticket.updated'`,
  keyOf: ({ workspaceId, type }) => (type === 'ticket.updated' ? String(workspaceId) : null),
};

/** All events of one ticket. */
export function ticketTopic(ticketId: string): Topic {
  return { kind: ticketEvents, key: ticketId, values: [ticketId] };
}

/** The changes of all tickets of a firm. */
export function inboxTopic(workspaceId: number): Topic {
  return { kind: inboxEvents, key: String(workspaceId), values: [workspaceId] };
}
