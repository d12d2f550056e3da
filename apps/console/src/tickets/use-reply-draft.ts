import { useStoredValue } from '../stored-value.ts';
import { type ComposerMode, draftOf, emptyDraft, type ReplyDraft } from './reply-drafts.ts';

export interface ReplyDraftState {
  draft: ReplyDraft;
  /** Changes the draft. A changed draft is a new message and gets a new idempotency key. */
  write(fields: Partial<Pick<ReplyDraft, 'text' | 'imageUrl' | 'imageName'>>): void;
  /** Records that the writer has seen all messages up to this time. */
  markSeenThrough(moment: string): void;
}

/** The draft of a reply or note, stored on every change. */
export function useReplyDraft(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
  seenThrough: string | null,
): ReplyDraftState {
  const stored = draftOf(userId, ticketId, mode);
  const draft = useStoredValue(stored) ?? emptyDraft;
  const save = (fields: Partial<ReplyDraft>) =>
    stored.set({ ...(stored.get() ?? emptyDraft), ...fields, changedAt: Date.now() });
  return {
    draft,
    write(fields) {
      const next = { ...draft, ...fields };
      if (next.text === '' && next.imageUrl === '') stored.set(null);
      else save({ ...next, key: null, ...(draft === emptyDraft && { seenThrough }) });
    },
    markSeenThrough: (moment) => save({ seenThrough: moment }),
  };
}
