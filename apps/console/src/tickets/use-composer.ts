import type { TicketWithCan } from '@firmdesk/contract';
import { type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type AssistantDraftState, useAssistantDraft } from '../assistant-draft/use-assistant-draft.ts';
import { type MacroPickerState, useMacroPicker } from '../macros/use-macro-picker.ts';
import { instructionOf } from './assistant-command.ts';
import { type ComposerMode, draftOf } from './reply-drafts.ts';
import { type ReplyDraftState, useReplyDraft } from './use-reply-draft.ts';

/** The composer of a ticket: its draft, mode and text box. */
export interface ComposerState extends ReplyDraftState {
  /** Null on a resolved or closed ticket until an internal note is chosen. */
  mode: ComposerMode | null;
  textarea: RefObject<HTMLTextAreaElement | null>;
  /** Switches to a mode and focuses the text box. */
  begin(mode: ComposerMode): void;
  macros: MacroPickerState;
  assistantDraft: AssistantDraftState;
  /** Turns the draft into an instruction to the assistant. */
  askAssistant(): void;
}

/** @param seenThrough `created_at` of the newest message that the writer has seen */
export function useComposer(
  userId: string,
  ticket: TicketWithCan,
  seenThrough: string | null,
): ComposerState {
  const { id, can } = ticket;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const [chosen, setChosen] = useState<ComposerMode>(() => {
    const isNote = draftOf(userId, id, 'note').get() && !draftOf(userId, id, 'reply').get();
    return isNote ? 'note' : 'reply';
  });
  const mode = chosen === 'reply' && !can.reply ? null : chosen;
  const drafting = useReplyDraft(userId, id, mode ?? 'note', seenThrough);
  const macros = useMacroPicker(ticket, drafting, textarea);
  const begin = (next: ComposerMode) => {
    flushSync(() => setChosen(next));
    textarea.current?.focus();
  };
  const assistantDraft = useAssistantDraft(userId, ticket, seenThrough, () => begin('reply'));
  return {
    ...drafting,
    mode,
    textarea,
    macros,
    assistantDraft,
    begin,
    askAssistant() {
      const { text } = drafting.draft;
      if (instructionOf(text) === null) drafting.write({ text: `/ai ${text}` });
      textarea.current?.focus();
    },
  };
}
