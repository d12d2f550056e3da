import type { TicketWithCan } from '@firmdesk/contract';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { instructionOf } from '../tickets/composer/assistant-command.ts';
import { draftOf } from '../tickets/composer/reply-drafts.ts';
import { startDrafting, stopDrafting, useIsDrafting } from './drafting.ts';

/** The assistant’s draft in a composer. */
export interface AssistantDraftState {
  isWriting: boolean;
  /** Whether the user is asked what happens to the text. */
  isAsking: boolean;
  /** Starts a draft, with the text after `/ai` as the instruction. Other text is not replaced without asking. */
  begin(): void;
  /** Returns whether a draft was being written. */
  stop(): boolean;
  answer(answer: 'replace' | 'below' | null): void;
}

/** @param focus shows the reply and focuses its text box */
export function useAssistantDraft(
  userId: string,
  { id }: TicketWithCan,
  seenThrough: string | null,
  focus: () => void,
): AssistantDraftState {
  const isWriting = useIsDrafting(id);
  const [isAsking, setAsking] = useState(false);
  const draft = draftOf(userId, id, 'reply');
  const start = (instruction: string, replaces: boolean) => {
    focus();
    startDrafting({ ticket: id, draft, instruction, replaces, seenThrough });
  };
  return {
    isWriting,
    isAsking,
    begin() {
      const text = draft.get()?.text ?? '';
      const instruction = instructionOf(text);
      if (instruction !== null) start(instruction, true);
      else if (text.trim() === '') start('', true);
      else setAsking(true);
    },
    stop: () => stopDrafting(id),
    answer(answer) {
      flushSync(() => setAsking(false));
      if (answer !== null) start('', answer === 'replace');
    },
  };
}
