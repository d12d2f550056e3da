import type { TicketWithCan } from '@firmdesk/contract';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { instructionOf } from './assistant-command.ts';
import { draftOf, type WritingMode } from './drafts.ts';
import { recoverDrafts } from './send-message.ts';
import { type Drafting, useDraft } from './use-draft.ts';

/** What is written on a ticket, and to whom. */
export interface Writing extends Drafting {
  /** Null where nothing can be written before a note is chosen. */
  mode: WritingMode | null;
  textarea: RefObject<HTMLTextAreaElement | null>;
  /** Turns to a mode, the cursor in its text. */
  begin(mode: WritingMode): void;
  /** Makes what is written an instruction to the assistant. */
  askAssistant(): void;
}

/** @param seenThrough when the newest message was written that the writer has seen */
export function useWriting(userId: string, { id, can }: TicketWithCan, seenThrough: string | null): Writing {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState<WritingMode>(() => {
    const isNote = draftOf(userId, id, 'note').get() && !draftOf(userId, id, 'reply').get();
    return isNote ? 'note' : 'reply';
  });
  const mode = chosen === 'reply' && !can.reply ? null : chosen;
  const drafting = useDraft(userId, id, mode ?? 'note', seenThrough);
  useEffect(() => recoverDrafts(id, userId), [id, userId]);
  const begin = (next: WritingMode) => {
    flushSync(() => setChosen(next));
    textarea.current?.focus();
  };
  return {
    ...drafting,
    mode,
    textarea,
    begin,
    askAssistant() {
      const { text } = drafting.draft;
      if (instructionOf(text) === null) drafting.write({ text: `/ai ${text}` });
      textarea.current?.focus();
    },
  };
}
