import { type Macro, macroValues, type TicketWithCan } from '@firmdesk/contract';
import { type ComponentType, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../api.ts';
import { useAccount } from '../session/account.ts';
import { reportError } from '../shell/report-error.ts';
import type { ReplyDraftState } from '../tickets/composer/use-reply-draft.ts';
import { whenIdle } from '../when-idle.ts';
import { withMacro } from './draft-macros.ts';
import { fillText, variableIn } from './fill-macro.ts';
import type { MacroPickerProps } from './macro-picker.tsx';
import { macrosQuery } from './macro-queries.ts';

/** The picker of macros of a composer. */
export interface MacroPickerState {
  /** The dialog, while it is open. */
  Picker: ComponentType<MacroPickerProps> | null;
  open(): void;
  close(): void;
  insert(macro: Macro, text: string): void;
}

const loadPicker = () => import('./macro-picker.tsx');

let isPreloaded = false;

/** Fetches what the picker needs once the browser is idle, so that it opens at once, also without a network. */
function preloadPicker(): void {
  if (isPreloaded) return;
  isPreloaded = true;
  whenIdle(() => {
    if (!navigator.onLine) return;
    loadPicker().catch(() => {});
    void queryClient.prefetchQuery(macrosQuery('usable'));
  });
}

/** @param textarea where a macro is inserted: at the caret, or at the end if it does not have the focus */
export function useMacroPicker(
  ticket: TicketWithCan,
  { draft, write }: ReplyDraftState,
  textarea: RefObject<HTMLTextAreaElement | null>,
): MacroPickerState {
  const [Picker, setPicker] = useState<ComponentType<MacroPickerProps> | null>(null);
  const { user, workspace } = useAccount();
  const range = useRef<[start: number, end: number]>([0, 0]);
  useEffect(preloadPicker, []);
  const setFocus = (start: number, end: number) => {
    textarea.current?.focus();
    textarea.current?.setSelectionRange(start, end);
  };
  return {
    Picker,
    open() {
      const field = textarea.current;
      const hasFocus = field !== null && document.activeElement === field;
      range.current = hasFocus
        ? [field.selectionStart, field.selectionEnd]
        : [draft.text.length, draft.text.length];
      // Keys that follow at once wait until the picker has the focus.
      if (hasFocus) field.blur();
      loadPicker().then(
        ({ MacroPicker }) => flushSync(() => setPicker(() => MacroPicker)),
        (error: unknown) => {
          setFocus(...range.current);
          reportError(error, 'Couldn’t load the macros');
        },
      );
    },
    close() {
      flushSync(() => setPicker(null));
      setFocus(...range.current);
    },
    insert(macro, text) {
      const [start, end] = range.current;
      const filled = fillText(text, macroValues(ticket, user.name, workspace.name));
      const before = draft.text.slice(0, start);
      // At the end of other text it begins a new paragraph.
      const isAfterText = start === draft.text.length && before.trim() !== '' && !/\s$/.test(before);
      const inserted = isAfterText ? `\n\n${filled}` : filled;
      flushSync(() => {
        setPicker(null);
        write({
          text: `${before}${inserted}${draft.text.slice(end)}`,
          macros: withMacro(draft.macros, macro, user.id),
        });
      });
      const unfilled = variableIn(inserted);
      const at = start + (unfilled === null ? inserted.length : inserted.indexOf(unfilled));
      setFocus(at, at + (unfilled?.length ?? 0));
    },
  };
}
