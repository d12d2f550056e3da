import { newIdempotencyKey } from '@firmdesk/client';
import { type DraftMacros, htmlOfPlainText } from '@firmdesk/contract';
import { asDraftFiles, type DraftFile } from '../../attachments/draft-file.ts';
import { asDraftMacros } from '../../macros/draft-macros.ts';
import type { FormattedText } from '../../rich-text/editable-field.ts';
import { type StoredValue, storedValues } from '../../stored-value.ts';

export type ComposerMode = 'reply' | 'note';

/** An unsent reply or note. It is stored in the browser until the service has confirmed the message. */
export interface ReplyDraft {
  text: string;
  /** The text with formatting, in HTML; null without. */
  html: string | null;
  imageUrl: string;
  imageName: string;
  files: readonly DraftFile[];
  macros: DraftMacros | null;
  /** `created_at` of the last message that the writer had seen when they started; null if there was none. */
  seenThrough: string | null;
  /** The idempotency key of an earlier attempt to send exactly this draft, which may have arrived. */
  key: string | null;
  /** Milliseconds since the epoch. */
  changedAt: number;
}

/** The drafts, and what the service last had of them (`draft-sync.ts`). */
const PREFIXES = ['firmdesk.draft.', 'firmdesk.draft-base.'];
const MAX_DRAFTS = 200;
const MAX_AGE_MS = 30 * 86_400_000;
/** At most this many drafts stay in memory, beside those on the page. */
const MAX_OPENED = 50;

const open = storedValues(MAX_OPENED, asDraft);

/** Returns the draft of a user on a ticket. It is stored per user, so that others on this browser do not see it. */
export function draftOf(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
): StoredValue<ReplyDraft | null> {
  return open(`draft.${userId}.${ticketId}.${mode}`);
}

/** Empties a draft and returns it with an idempotency key. A draft that may have been sent before keeps its key. */
export function takeDraft(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
): ReplyDraft & { key: string } {
  const draft = draftOf(userId, ticketId, mode);
  const taken = { ...(draft.get() ?? emptyDraft), key: draft.get()?.key ?? newIdempotencyKey() };
  draft.set(null);
  return taken;
}

/** Changes the files of a draft, which becomes a new message. */
export function changeDraftFiles(
  { userId, ticket, mode }: { userId: string; ticket: string; mode: ComposerMode },
  change: (files: readonly DraftFile[]) => readonly DraftFile[],
): void {
  const stored = draftOf(userId, ticket, mode);
  const draft = stored.get() ?? emptyDraft;
  const next = { ...draft, files: change(draft.files), key: null, changedAt: Date.now() };
  stored.set(isEmptyDraft(next) ? null : next);
}

/** Returns whether a draft has nothing to send. */
export function isEmptyDraft({
  text,
  imageUrl,
  files,
}: Pick<ReplyDraft, 'text' | 'imageUrl' | 'files'>): boolean {
  return text === '' && imageUrl === '' && files.length === 0;
}

/** Returns the texts of two drafts in one, the second one below the first. */
export function joinTexts(...drafts: [FormattedText, FormattedText]): FormattedText {
  const written = drafts.filter(({ text }) => text !== '');
  const isFormatted = written.some(({ html }) => html !== null);
  return {
    text: written.map(({ text }) => text).join('\n\n'),
    html: isFormatted ? written.map(({ text, html }) => html ?? htmlOfPlainText(text)).join('<p></p>') : null,
  };
}

/** Puts an unsent message back into the draft, before any text written since. With newer text it gets a new key. */
export function putBackDraft(userId: string, ticketId: string, mode: ComposerMode, unsent: ReplyDraft): void {
  const draft = draftOf(userId, ticketId, mode);
  const newer = draft.get();
  draft.set(
    newer
      ? {
          ...unsent,
          ...joinTexts(unsent, newer),
          imageUrl: unsent.imageUrl || newer.imageUrl,
          imageName: unsent.imageName || newer.imageName,
          files: [...unsent.files, ...newer.files],
          macros: unsent.macros ?? newer.macros,
          key: null,
          changedAt: Date.now(),
        }
      : { ...unsent, changedAt: Date.now() },
  );
}

export const emptyDraft: ReplyDraft = {
  text: '',
  html: null,
  imageUrl: '',
  imageName: '',
  files: [],
  macros: null,
  seenThrough: null,
  key: null,
  changedAt: 0,
};

/** Deletes drafts unchanged for thirty days, and the oldest ones beyond two hundred. */
export function pruneDrafts(storage: Storage, now: number): void {
  for (const prefix of PREFIXES) pruneKeys(storage, now, prefix);
}

function pruneKeys(storage: Storage, now: number, prefix: string): void {
  const kept = Array.from({ length: storage.length }, (_, index) => storage.key(index)!)
    .filter((key) => key.startsWith(prefix))
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

/** Returns stored JSON as a draft, or null. */
export function asDraft(stored: unknown): ReplyDraft | null {
  if (typeof stored !== 'object' || stored === null || !('text' in stored)) return null;
  const draft: Partial<Record<keyof ReplyDraft, unknown>> = stored;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    text: text(draft.text) ?? '',
    html: text(draft.html),
    imageUrl: text(draft.imageUrl) ?? '',
    imageName: text(draft.imageName) ?? '',
    files: asDraftFiles(draft.files),
    macros: asDraftMacros(draft.macros),
    seenThrough: text(draft.seenThrough),
    key: text(draft.key),
    changedAt: typeof draft.changedAt === 'number' ? draft.changedAt : 0,
  };
}
