import type { TicketHistoryEntry, TicketMessage } from '@firmdesk/contract';
import { isSameDay } from '../../ui/time/time.ts';
import { kindOf } from './message-kind.ts';

/** A message, or changes that one author made without a message in between. */
export type TimelineItem = {
  key: string;
  at: string;
  isFirstOfDay: boolean;
} /** `continues`: its author has written the message before it, shortly before. */ & (
  | { message: TicketMessage; continues: boolean; changes?: undefined }
  | { message?: undefined; continues?: undefined; changes: TicketHistoryEntry[] }
);

/**
 * Returns the messages of a ticket and its changes in the order of time. Both lists are oldest first. Successive changes of one author on
 * one day are one item.
 */
export function timelineOf(
  messages: readonly TicketMessage[],
  entries: readonly TicketHistoryEntry[],
  zone: string,
): TimelineItem[] {
  const items: TimelineItem[] = [];
  const isFirstOfDay = (at: string) => {
    const before = items.at(-1);
    return !before || !isSameDay(new Date(before.at), new Date(at), zone);
  };
  const addEntry = (entry: TicketHistoryEntry) => {
    const at = entry.created_at;
    const before = items.at(-1);
    const run = isFirstOfDay(at) ? undefined : before?.changes;
    if (run && isByTheSame(run[0]!, entry)) run.push(entry);
    else items.push({ key: `change-${entry.id}`, at, isFirstOfDay: isFirstOfDay(at), changes: [entry] });
  };
  let next = 0;
  for (const message of messages) {
    const at = message.created_at;
    // A change that a message caused has the time of the message.
    while (next < entries.length && entries[next]!.created_at < at) addEntry(entries[next++]!);
    const continues = !isFirstOfDay(at) && continuesAfter(items.at(-1)?.message, message);
    items.push({ key: message.id, at, isFirstOfDay: isFirstOfDay(at), message, continues });
  }
  for (const entry of entries.slice(next)) addEntry(entry);
  return items;
}

function isByTheSame(a: TicketHistoryEntry, b: TicketHistoryEntry): boolean {
  const ruleOf = ({ reason }: TicketHistoryEntry) => (reason?.kind === 'rule' ? reason.id : reason?.mode);
  return a.author?.id === b.author?.id && a.reason?.kind === b.reason?.kind && ruleOf(a) === ruleOf(b);
}

/** Messages of one author within this time are one group. */
const GROUPED_MS = 5 * 60_000;

function continuesAfter(before: TicketMessage | undefined, message: TicketMessage): boolean {
  if (!before || before.event !== null || message.event !== null || message.from === 'ai') return false;
  return (
    kindOf(before) === kindOf(message) &&
    before.author === message.author &&
    before.via_email === message.via_email &&
    Date.parse(message.created_at) - Date.parse(before.created_at) < GROUPED_MS
  );
}
