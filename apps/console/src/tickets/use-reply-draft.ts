import { useStoredValue } from '../stored-value.ts';
import { type ComposerMode, draftOf, emptyDraft, type ReplyDraft } from './reply-drafts.ts';

export interface ReplyDraftState {
  draft: ReplyDraft;
  /** Other words are another message: sent, they get a key of their own. */
  write(fields: Partial<Pick<ReplyDraft, 'text' | 'imageUrl' | 'imageName'>>): void;
  /** Its writer was shown what came until this moment. */
  markSeenThrough(moment: string): void;
}

/** What is being written on a ticket, kept with every change. */
export function useReplyDraft(
  userId: string,
  ticketId: string,
  mode: ComposerMode,
  seenThrough: string | null,
): ReplyDraftState {
  const stored = draftOf(userId, ticketId, mode);
  const draft = useStoredValue(stored) ?? emptyDraft;
  const keep = (fields: Partial<ReplyDraft>) =>
    stored.set({ ...(stored.get() ?? emptyDraft), ...fields, changedAt: Date.now() });
  return {
    draft,
    write(fields) {
      const next = { ...draft, ...fields };
      if (next.text === '' && next.imageUrl === '') stored.set(null);
      else keep({ ...next, key: null, ...(draft === emptyDraft && { seenThrough }) });
    },
    markSeenThrough: (moment) => keep({ seenThrough: moment }),
  };
}
