import type { Ticket } from '@firmdesk/contract';
import { useMemo } from 'react';
import type { OutboxEntry, UnsavedChange } from '../../outbox/entries.ts';
import { useUnsaved } from '../../outbox/outbox.ts';
import { isEnded } from '../properties/ticket-labels.ts';

const none: readonly OutboxEntry[] = [];

/** Returns the unconfirmed changes and messages of a ticket. */
export function useUnsavedOf(ticketId: string): readonly OutboxEntry[] {
  const entries = useUnsaved();
  return useMemo(() => {
    const own = entries.filter((entry) => entry.kind !== 'call' && entry.ticket === ticketId);
    return own.length > 0 ? own : none;
  }, [entries, ticketId]);
}

/** Returns the ticket with its unconfirmed changes. On a resolved or closed ticket, replies and the assistant are not possible. */
export function withUnsaved<T extends Ticket>(ticket: T, entries: readonly OutboxEntry[]): T {
  const changes = entries.filter((entry): entry is UnsavedChange => entry.kind === 'change');
  if (changes.length === 0) return ticket;
  const shown: T = Object.assign({ ...ticket }, ...changes.map((change) => change.shown));
  if ('can' in shown && isEnded(shown.status)) {
    return { ...shown, can: { ...(shown.can as object), ai: false, reply: false, auto_reply: false } };
  }
  return shown;
}

/** Returns the changes that the user would miss: marking a ticket as read is not one of them. */
export function visibleChanges(entries: readonly OutboxEntry[]): OutboxEntry[] {
  return entries.filter((entry) => entry.kind === 'message' || entry.procedure !== 'markRead');
}
