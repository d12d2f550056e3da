import type { SupportDirectory } from '@firmdesk/contract';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { suggestionsFor, typedMention } from './mentions.ts';

type Agent = SupportDirectory['agents'][number];

/** The list of colleagues that opens while a mention is typed. */
export interface MentionPicker {
  /** Empty while it is closed. */
  suggestions: readonly Agent[];
  /** The index of the highlighted suggestion. */
  active: number;
  listId: string;
  optionId(index: number): string;
  choose(agent: Agent): void;
  /** Properties of the text box. */
  field: {
    onSelect(): void;
    'aria-autocomplete'?: 'list';
    'aria-controls'?: string;
    'aria-activedescendant'?: string;
  };
  /** Handles a key of the text box. Returns whether it did. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** A text box of a note. */
interface NoteField {
  text: string;
  write(text: string): void;
  textarea: RefObject<HTMLTextAreaElement | null>;
}

/** Suggests colleagues while `@` and a name are typed into a note. */
export function useMentionPicker(
  { text, write, textarea }: NoteField,
  agents: readonly Agent[],
  isEnabled: boolean,
): MentionPicker {
  const listId = useId();
  const [caret, setCaret] = useState<number | null>(null);
  const [highlighted, setHighlighted] = useState({ query: '', index: 0 });
  /** Where the mention begins for which the list was closed by Escape. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const typed = isEnabled && caret !== null ? typedMention(text, caret) : null;
  const suggestions = typed && typed.start !== closedAt ? suggestionsFor(typed.query, agents) : [];
  const isOpen = suggestions.length > 0;
  const index = typed?.query === highlighted.query ? highlighted.index : 0;
  const active = Math.min(index, suggestions.length - 1);
  const optionId = (option: number) => `${listId}-${option}`;

  const choose = ({ name }: Agent) => {
    if (!typed || caret === null) return;
    const end = typed.start + name.length + 2;
    flushSync(() => {
      write(`${text.slice(0, typed.start)}@${name} ${text.slice(caret)}`);
      setCaret(end);
    });
    textarea.current?.focus();
    textarea.current?.setSelectionRange(end, end);
  };
  return {
    suggestions,
    active,
    listId,
    optionId,
    choose,
    field: {
      onSelect() {
        const field = textarea.current;
        setCaret(field && field.selectionStart === field.selectionEnd ? field.selectionStart : null);
      },
      ...(isEnabled && { 'aria-autocomplete': 'list' as const }),
      ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': optionId(active) }),
    },
    onKeyDown(event) {
      if (!isOpen || !typed || event.nativeEvent.isComposing) return false;
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const isChosen =
        (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) ||
        (event.key === 'Tab' && !event.shiftKey);
      if (step !== 0) {
        const next = (active + step + suggestions.length) % suggestions.length;
        setHighlighted({ query: typed.query, index: next });
      } else if (isChosen) choose(suggestions[active]!);
      else if (event.key === 'Escape') setClosedAt(typed.start);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
