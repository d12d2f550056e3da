import { newIdempotencyKey } from '@firmdesk/client';
import { useStoredValue } from '../stored-value.ts';
import { type Draft, draftOf, type WritingMode } from './drafts.ts';

export interface Drafting {
  draft: Draft;
  /** Other words are another message: sent, they get a key of their own. */
  write(fields: Partial<Pick<Draft, 'text' | 'imageUrl' | 'imageName'>>): void;
  /** The key under which these words are sent, now and when they are sent again as they are. */
  seal(): string;
  /** They did not arrive, for certain. */
  unseal(): void;
  /** Its writer was shown what came until this moment. */
  sawUntil(moment: string): void;
}

const empty: Draft = { text: '', imageUrl: '', imageName: '', seenThrough: null, key: null, changedAt: 0 };

/** What is being written on a ticket, kept with every change. */
export function useDraft(
  userId: string,
  ticketId: string,
  mode: WritingMode,
  seenThrough: string | null,
): Drafting {
  const stored = draftOf(userId, ticketId, mode);
  const draft = useStoredValue(stored) ?? empty;
  const keep = (fields: Partial<Draft>) =>
    stored.set({ ...(stored.get() ?? empty), ...fields, changedAt: Date.now() });
  return {
    draft,
    write(fields) {
      const next = { ...draft, ...fields };
      if (next.text === '' && next.imageUrl === '') stored.set(null);
      else keep({ ...next, key: null, ...(draft === empty && { seenThrough }) });
    },
    seal() {
      const key = draft.key ?? newIdempotencyKey();
      keep({ key });
      return key;
    },
    unseal: () => keep({ key: null }),
    sawUntil: (moment) => keep({ seenThrough: moment }),
  };
}
