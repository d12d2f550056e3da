import { useEffect } from 'react';
import { useStoredValue } from '../../stored-value.ts';
import { type ComposerMode, draftOf, emptyDraft, isEmptyDraft, type ReplyDraft } from './reply-drafts.ts';

export interface ReplyDraftState {
  draft: ReplyDraft;
  /** Changes the draft. A changed draft is a new message and gets a new idempotency key. */
  write(fields: Partial<Pick<ReplyDraft, 'text' | 'html' | 'imageUrl' | 'imageName' | 'macros'>>): void;
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
  // A draft can be older than the first messages on the page: keys are accepted while the conversation loads.
  useEffect(() => {
    const begun = stored.get();
    if (begun?.seenThrough === null && seenThrough !== null) stored.set({ ...begun, seenThrough });
  }, [stored, draft, seenThrough]);
  return {
    draft,
    write(fields) {
      // Two changes can follow each other before they are drawn.
      const current = stored.get() ?? emptyDraft;
      const next = { ...current, ...fields };
      if (isEmptyDraft(next)) stored.set(null);
      else save({ ...next, key: null, ...(current === emptyDraft && { seenThrough }) });
    },
    markSeenThrough: (moment) => save({ seenThrough: moment }),
  };
}
