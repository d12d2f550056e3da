import type { TicketMessage } from '@firmdesk/contract';

/** Ids of messages sent from this page, which are not announced as new. */
const sentIds = new Set<string>();

export function markSentFromHere({ id }: Pick<TicketMessage, 'id'>): void {
  sentIds.add(id);
}

export function isSentFromHere({ id }: TicketMessage): boolean {
  return sentIds.has(id);
}
