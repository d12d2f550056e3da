import { type StoredValue, storedValue } from '../stored-value.ts';

export type WritingMode = 'reply' | 'note';

/** What somebody is writing on a ticket. It is kept until the service has confirmed that it has it. */
export interface Draft {
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

const opened = new Map<string, StoredValue<Draft | null>>();

/** A person's draft on a ticket: not to be seen by whoever signs in at this browser next. */
export function draftOf(userId: string, ticketId: string, mode: WritingMode): StoredValue<Draft | null> {
  const name = `draft.${userId}.${ticketId}.${mode}`;
  const known = opened.get(name);
  if (known) return known;
  const draft = storedValue(name, asDraft);
  opened.set(name, draft);
  return draft;
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

function asDraft(stored: unknown): Draft | null {
  if (typeof stored !== 'object' || stored === null || !('text' in stored)) return null;
  const draft: Partial<Record<keyof Draft, unknown>> = stored;
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
