import { useStoredValue } from '../stored-value.ts';
import { type Draft, draftOf, emptyDraft, type WritingMode } from './drafts.ts';

export interface Drafting {
  draft: Draft;
  /** Other words are another message: sent, they get a key of their own. */
  write(fields: Partial<Pick<Draft, 'text' | 'imageUrl' | 'imageName'>>): void;
  /** Its writer was shown what came until this moment. */
  sawUntil(moment: string): void;
}

/** What is being written on a ticket, kept with every change. */
export function useDraft(
  userId: string,
  ticketId: string,
  mode: WritingMode,
  seenThrough: string | null,
): Drafting {
  const stored = draftOf(userId, ticketId, mode);
  const draft = useStoredValue(stored) ?? emptyDraft;
  const keep = (fields: Partial<Draft>) =>
    stored.set({ ...(stored.get() ?? emptyDraft), ...fields, changedAt: Date.now() });
  return {
    draft,
    write(fields) {
      const next = { ...draft, ...fields };
      if (next.text === '' && next.imageUrl === '') stored.set(null);
      else keep({ ...next, key: null, ...(draft === emptyDraft && { seenThrough }) });
    },
    sawUntil: (moment) => keep({ seenThrough: moment }),
  };
}
