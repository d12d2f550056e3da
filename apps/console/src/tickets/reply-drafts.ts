import { newIdempotencyKey } from '@firmdesk/client';
import { type StoredValue, storedValue } from '../stored-value.ts';

export type ComposerMode = 'reply' | 'note';

/** What somebody is writing on a ticket. It is kept until the service has confirmed that it has it. */
export interface ReplyDraft {
  text: string;
  imageUrl: string;
  imageName: string;
  /** When the last message was written that its writer had seen as they began; null: none had been. */
  seenThrough: string | null;
  /** The idempotency key under which exactly this was sent before, and perhaps arrived. */
  key: string | null;
  /** Milliseconds since the epoch. */
  changedAt: number;
}

const PREFIX = 'firmdesk.draft.';
const MAX_DRAFTS = 200;
const MAX_AGE_MS = 30 * 86_400_000;

const opened = new Map<string, StoredValue<ReplyDraft | null>>();

/** A person's draft on a ticket: not to be seen by whoever signs in at this browser next. */
export function draftOf(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
): StoredValue<ReplyDraft | null> {
  return open(`draft.${userId}.${ticketId}.${mode}`);
}

/** What is on its way: kept apart, so that one can write on, until the service has confirmed it. */
function sentOf(userId: string, ticketId: string, mode: ComposerMode): StoredValue<ReplyDraft | null> {
  return open(`draft.${userId}.${ticketId}.${mode}.sent`);
}

/** Takes a draft to be sent, under a key: the one that it has when exactly this was sent before. */
export function takeDraft(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
): ReplyDraft & { key: string } {
  const draft = draftOf(userId, ticketId, mode);
  const sent = { ...(draft.get() ?? emptyDraft), key: draft.get()?.key ?? newIdempotencyKey() };
  sentOf(userId, ticketId, mode).set(sent);
  draft.set(null);
  return sent;
}

/** The service has it. Another tab may have taken it for lost. */
export function confirmDraft(userId: string, ticketId: string, mode: ComposerMode, key: string): void {
  for (const place of [sentOf(userId, ticketId, mode), draftOf(userId, ticketId, mode)]) {
    if (place.get()?.key === key) place.set(null);
  }
}

/**
 * What was not confirmed is a draft again, before what was written since.
 *
 * @param isRefused it did not arrive, for certain; else it may have, and keeps its key
 */
export function putBackDraft(userId: string, ticketId: string, mode: ComposerMode, isRefused: boolean): void {
  const sent = sentOf(userId, ticketId, mode);
  const draft = draftOf(userId, ticketId, mode);
  const lost = sent.get();
  if (!lost) return;
  const since = draft.get();
  if (since) {
    draft.set({
      ...lost,
      text: `${lost.text}\n\n${since.text}`,
      imageUrl: lost.imageUrl || since.imageUrl,
      imageName: lost.imageName || since.imageName,
      key: null,
    });
  } else draft.set(isRefused ? { ...lost, key: null } : lost);
  sent.set(null);
}

export const emptyDraft: ReplyDraft = {
  text: '',
  imageUrl: '',
  imageName: '',
  seenThrough: null,
  key: null,
  changedAt: 0,
};

function open(name: string): StoredValue<ReplyDraft | null> {
  const known = opened.get(name) ?? storedValue(name, asDraft);
  opened.set(name, known);
  return known;
}

/** Forgets drafts that were let lie for thirty days, and the oldest of more than two hundred. */
export function pruneDrafts(storage: Storage, now: number): void {
  const kept = Array.from({ length: storage.length }, (_, index) => storage.key(index)!)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ key, changedAt: changedAtOf(storage.getItem(key)) }))
    .sort((a, b) => b.changedAt - a.changedAt);
  for (const [index, { key, changedAt }] of kept.entries()) {
    if (index >= MAX_DRAFTS || now - changedAt > MAX_AGE_MS) storage.removeItem(key);
  }
}

function changedAtOf(stored: string | null): number {
  try {
    return asDraft(JSON.parse(stored ?? 'null'))?.changedAt ?? 0;
  } catch {
    return 0;
  }
}

function asDraft(stored: unknown): ReplyDraft | null {
  if (typeof stored !== 'object' || stored === null || !('text' in stored)) return null;
  const draft: Partial<Record<keyof ReplyDraft, unknown>> = stored;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    text: text(draft.text) ?? '',
    imageUrl: text(draft.imageUrl) ?? '',
    imageName: text(draft.imageName) ?? '',
    seenThrough: text(draft.seenThrough),
    key: text(draft.key),
    changedAt: typeof draft.changedAt === 'number' ? draft.changedAt : 0,
  };
}
