import type { TicketWithCan } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type AssistantDraftState, useAssistantDraft } from '../../assistant-draft/use-assistant-draft.ts';
import { type MacroPickerState, useMacroPicker } from '../../macros/use-macro-picker.ts';
import type { EditableField } from '../../rich-text/editable-field.ts';
import { preloadEditor } from '../../rich-text/load-editor.ts';
import { instructionOf } from './assistant-command.ts';
import { draftListQuery } from './draft-sync.ts';
import { type ComposerMode, draftOf } from './reply-drafts.ts';
import { type ReplyDraftState, useReplyDraft } from './use-reply-draft.ts';

/** The composer of a ticket: its draft, mode and text box. */
export interface ComposerState extends ReplyDraftState {
  /** Null on a resolved or closed ticket until an internal note is chosen. */
  mode: ComposerMode | null;
  field: RefObject<EditableField | null>;
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
  const field = useRef<EditableField>(null);
  useEffect(preloadEditor, []);
  const [chosen, setChosen] = useState<ComposerMode | null>(null);
  const begun = useBegunMode(userId, id);
  // Once: a message that is saved or sent on another device later does not change what the author writes here.
  if (chosen === null && begun !== null) setChosen(begun);
  const mode = chosen !== 'note' && !can.reply ? null : (chosen ?? 'reply');
  const drafting = useReplyDraft(userId, id, mode ?? 'note', seenThrough);
  const macros = useMacroPicker(ticket, drafting, field);
  const begin = (next: ComposerMode) => {
    flushSync(() => setChosen(next));
    field.current?.focus();
  };
  const assistantDraft = useAssistantDraft(userId, ticket, seenThrough, () => begin('reply'));
  return {
    ...drafting,
    mode,
    field,
    macros,
    assistantDraft,
    begin,
    askAssistant() {
      const { text } = drafting.draft;
      if (instructionOf(text) === null) drafting.write({ text: `/ai ${text}`, html: null });
      field.current?.focus();
    },
  };
}

/** Returns whether a reply or a note of the ticket is to be continued, here or from another device: a reply without drafts, null while unknown. */
function useBegunMode(userId: string, ticketId: string): ComposerMode | null {
  const { data: list } = useQuery(draftListQuery());
  const isBegun = (mode: ComposerMode) =>
    draftOf(userId, ticketId, mode).get() !== null ||
    list?.data.some((each) => each.ticket_id === ticketId && each.mode === mode) === true;
  if (isBegun('reply')) return 'reply';
  if (isBegun('note')) return 'note';
  return list ? 'reply' : null;
}
