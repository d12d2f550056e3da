import type { SupportDirectory } from '@firmdesk/contract';
import { type RefObject, useId, useState } from 'react';
import type { EditableField } from '../../rich-text/editable-field.ts';
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
  /** Called when the caret has moved or the text has changed. */
  onSelect(): void;
  /** Attributes of the text box. */
  attributes: Record<`aria-${string}`, string>;
  /** Handles a key of the text box. Returns whether it did. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** Suggests colleagues while `@` and a name are typed into a note. */
export function useMentionPicker(
  field: RefObject<EditableField | null>,
  agents: readonly Agent[],
  isEnabled: boolean,
): MentionPicker {
  const listId = useId();
  /** The text before the caret. */
  const [before, setBefore] = useState<string | null>(null);
  const [highlighted, setHighlighted] = useState({ query: '', index: 0 });
  /** Where the mention begins for which the list was closed by Escape. */
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const typed = isEnabled && before !== null ? typedMention(before, before.length) : null;
  const suggestions = typed && typed.start !== closedAt ? suggestionsFor(typed.query, agents) : [];
  const isOpen = suggestions.length > 0;
  const index = typed?.query === highlighted.query ? highlighted.index : 0;
  const active = Math.min(index, suggestions.length - 1);
  const optionId = (option: number) => `${listId}-${option}`;

  const choose = ({ name }: Agent) => {
    if (!typed || before === null) return;
    field.current?.replaceBeforeCaret(before.length - typed.start, `@${name} `);
    setBefore(field.current?.beforeCaret() ?? null);
  };
  return {
    suggestions,
    active,
    listId,
    optionId,
    choose,
    onSelect: () => setBefore(field.current?.beforeCaret() ?? null),
    attributes: {
      ...(isEnabled && { 'aria-autocomplete': 'list' as const }),
      ...(isOpen && { 'aria-controls': listId, 'aria-activedescendant': optionId(active) }),
    },
    onKeyDown(event) {
      if (!isOpen || !typed || event.isComposing) return false;
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
