import { type Macro, macroValues, type TicketWithCan } from '@firmdesk/contract';
import { type ComponentType, type RefObject, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryClient } from '../api.ts';
import type { EditableField } from '../rich-text/editable-field.ts';
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

/** @param field where a macro is inserted: at the caret, or at the end if it does not have the focus */
export function useMacroPicker(
  ticket: TicketWithCan,
  { draft, write }: ReplyDraftState,
  field: RefObject<EditableField | null>,
): MacroPickerState {
  const [Picker, setPicker] = useState<ComponentType<MacroPickerProps> | null>(null);
  const { user, workspace } = useAccount();
  useEffect(preloadPicker, []);
  const focus = () => field.current?.focus();
  return {
    Picker,
    open() {
      // The field keeps its selection. Keys that follow at once wait until the picker has the focus.
      if (field.current?.element === document.activeElement) field.current?.leave();
      else field.current?.moveTo('end');
      loadPicker().then(
        ({ MacroPicker }) => flushSync(() => setPicker(() => MacroPicker)),
        (error: unknown) => {
          focus();
          reportError(error, 'Couldn’t load the macros');
        },
      );
    },
    close() {
      flushSync(() => setPicker(null));
      focus();
    },
    insert(macro, text) {
      const filled = fillText(text, macroValues(ticket, user.name, workspace.name));
      const before = field.current?.beforeCaret() ?? '';
      // At the end of other text it begins a new paragraph.
      const isAfterText = before.trim() !== '' && !/\s$/.test(before) && draft.text.endsWith(before);
      const inserted = isAfterText ? `\n\n${filled}` : filled;
      flushSync(() => setPicker(null));
      flushSync(() => {
        field.current?.insert(inserted, variableIn(inserted));
        write({ macros: withMacro(draft.macros, macro, user.id) });
      });
    },
  };
}
