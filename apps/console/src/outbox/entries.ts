import type { Ticket } from '@firmdesk/contract';
import { asDraft, type ComposerMode, type ReplyDraft } from '../tickets/composer/reply-drafts.ts';

/** The calls that change a ticket. */
export const changeProcedures = [
  'assign',
  'setPriority',
  'setTags',
  'undoChanges',
  'setStatus',
  'switchAssistant',
  'blockAssistant',
  'markRead',
  'markUnread',
  'snooze',
  'endSnooze',
] as const;
export type ChangeProcedure = (typeof changeProcedures)[number];

/** The calls that change something else. */
export const callProcedures = [
  'calendar.create',
  'calendar.change',
  'calendar.delete',
  'calendar.answer',
  'calendar.remind',
  'notifications.changeSetting',
  'tickets.updateAssistantSettings',
  'tickets.serviceTargets.set',
  'account.setTimezone',
  'tickets.start',
] as const;
export type CallProcedure = (typeof callProcedures)[number];

interface Unsaved {
  /** The idempotency key: sent several times, it is stored once. */
  key: string;
  /** Milliseconds since the epoch. */
  addedAt: number;
  /** Whether an attempt to send it had no known result. */
  isTried: boolean;
  /** It is not sent before this time, in milliseconds since the epoch. */
  notBefore?: number;
  /** The key of the entry that this one undoes. If that one is rejected, there is nothing to undo. */
  undoes?: string;
}

/** A change of a ticket that the service has not confirmed. */
export interface UnsavedChange extends Unsaved {
  kind: 'change';
  ticket: string;
  procedure: ChangeProcedure;
  input: object;
  /** The fields of the ticket as they will be. */
  shown: Partial<Ticket>;
}

/** A message that the service has not confirmed. */
export interface UnsavedMessage extends Unsaved {
  kind: 'message';
  ticket: string;
  mode: ComposerMode;
  draft: ReplyDraft;
  /** The last message that the writer has seen; null if there was none. */
  seenMessageId: string | null;
  /** `created_at` of the conversation's last message when this one was written. */
  after: string;
  /** Whether the service delays the send for some seconds. */
  isDelayed?: boolean;
  /** The ids of the colleagues whom a note mentions; absent if they were not loaded when it was written. */
  mentions?: readonly string[];
}

/** A change of an event or a setting that the service has not confirmed. Pages show it from its input. */
export interface UnsavedCall extends Unsaved {
  kind: 'call';
  procedure: CallProcedure;
  input: object;
}

export type OutboxEntry = UnsavedChange | UnsavedMessage | UnsavedCall;

type New<Entry extends Unsaved> = Omit<Entry, 'key' | 'addedAt' | 'isTried'> & { key?: string };
export type NewEntry = New<UnsavedChange> | New<UnsavedMessage> | New<UnsavedCall>;

/** Returns what an entry changes. The entries of one subject are sent in order. */
export function subjectOf(entry: OutboxEntry | NewEntry): string {
  return entry.kind === 'call' ? entry.procedure.split('.')[0]! : entry.ticket;
}

export function parseEntries(stored: unknown): readonly OutboxEntry[] {
  return Array.isArray(stored) ? stored.filter(isEntry) : [];
}

function isEntry(value: unknown): value is OutboxEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, key, ticket, addedAt, procedure, input, shown, draft } = value as Record<string, unknown>;
  if (typeof key !== 'string' || typeof addedAt !== 'number') return false;
  const isOf = (procedures: readonly string[]) =>
    procedures.some((each) => each === procedure) && typeof input === 'object' && input !== null;
  if (kind === 'call') return isOf(callProcedures);
  if (typeof ticket !== 'string') return false;
  return kind === 'message'
    ? asDraft(draft) !== null
    : kind === 'change' && isOf(changeProcedures) && typeof shown === 'object';
}
