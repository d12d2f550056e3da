import { MAX_QUERY_LENGTH } from '@firmdesk/contract';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { dayOf } from '../../calendar/views/days.ts';
import { wallClockMs } from '../../calendar/wall-clock.ts';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useAccount } from '../../session/account.ts';
import { useStoredValue } from '../../stored-value.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { focusList } from '../list/ticket-rows.tsx';
import type { InboxSearch } from './inbox-search.ts';
import { recentSearches, rememberSearch } from './recent-searches.ts';
import { endsInOperator, parseSearchText, type SearchScope } from './search-operators.ts';
import { SearchOptions } from './search-options.tsx';
import { type Suggestion, suggestionsFor } from './search-suggestions.ts';

/** The pause in typing after which a search starts. */
const TYPING_MS = 250;

/**
 * The search field. `/` focuses it. Operators fill the filters once they are complete. Enter searches, and then shows the first match;
 * Esc clears the field, then returns to the list.
 */
export function SearchField({
  q,
  onSearch,
  onFirstMatch,
}: {
  q: string;
  onSearch(q: string, filters: InboxSearch): void;
  onFirstMatch(): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const directory = useSupportDirectory();
  const { id: userId, timezone } = useAccount().user;
  const recent = useStoredValue(recentSearches(userId));
  const [text, setText] = useState(q);
  const [knownQ, setKnownQ] = useState(q);
  /** The searches of this field that the URL may not contain yet. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  /** The suggestion that Enter chooses; -1 for none. */
  const [active, setActive] = useState(-1);
  const id = useId();
  const scope = (): SearchScope => ({ directory, userId, today: dayOf(wallClockMs(Date.now(), timezone)) });
  const suggestions = isOpen ? suggestionsFor(text, recent, scope()) : [];
  if (q !== knownQ) {
    setKnownQ(q);
    const at = asked.indexOf(q);
    setAsked(at < 0 ? [] : asked.slice(at + 1));
    // The URL changed elsewhere. Text that was typed since the field searched is newer than the URL.
    if (at < 0 && q !== text.trim() && !endsInOperator(text)) setText(q);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  /** Searches for a text. Returns whether that changes the list. */
  const search = (next: string, isEntered = false): boolean => {
    clearTimeout(timer.current);
    const parsed = parseSearchText(next, scope(), isEntered);
    setProblem(parsed.problem);
    const hasFilters = Object.keys(parsed.filters).length > 0;
    // The space after an operator stays: the next word is typed behind it.
    const rest = parsed.rest !== '' && next.endsWith(' ') ? `${parsed.rest} ` : parsed.rest;
    if (parsed.problem && isEntered) {
      // With an operator that is not understood, no words are searched: they stay in the field beside it.
      if (hasFilters) onSearch(q, parsed.filters);
      setText(parsed.rest);
      return true;
    }
    if (hasFilters) setText(endsInOperator(next) && !isEntered ? next : rest);
    if (!hasFilters && parsed.rest === q) return false;
    if (parsed.rest !== q) setAsked([...asked, parsed.rest]);
    onSearch(parsed.rest, parsed.filters);
    return true;
  };
  const type = (next: string) => {
    setText(next);
    setOpen(true);
    setActive(-1);
    setProblem(null);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next), TYPING_MS);
  };
  const enter = (entered: string) => {
    // The results are not covered.
    setOpen(false);
    setActive(-1);
    if (entered.trim() !== '') rememberSearch(userId, entered.trim());
    if (!search(entered, true) && entered.trim() !== '') onFirstMatch();
  };
  const clear = () => {
    setText('');
    search('');
    setOpen(false);
    input.current?.focus();
  };
  const choose = ({ kind, text: chosen }: Suggestion) => {
    if (kind === 'operator') return type(chosen);
    setText(chosen);
    enter(chosen);
  };
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      {
        keys: '/',
        label: 'Search tickets',
        group: 'Tickets',
        movesFocus: true,
        run: () => input.current?.select(),
      },
    ],
    [],
  );
  useShortcuts(shortcuts);

  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = suggestions;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && (length > 0 || event.key === 'ArrowDown')) {
      if (length > 0) setActive(active < 0 && step < 0 ? length - 1 : Math.min(active + step, length - 1));
      else focusList();
    } else if (event.key === 'Enter') {
      const chosen = suggestions[active];
      if (chosen) choose(chosen);
      else enter(text);
    } else if (event.key === 'Escape') {
      if (active >= 0) setActive(-1);
      else if (text !== '') clear();
      else focusList();
    } else return;
    event.preventDefault();
  };
  const isTyping = isOpen && endsInOperator(text);
  const hint = problem ?? (isTyping && suggestions.length === 0 ? 'Press Enter or Space to filter' : null);

  return (
    <search
      className="relative min-w-0 flex-1"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)}
    >
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-2 left-2.5 text-muted max-md:top-3.5"
      />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Search tickets"
        aria-autocomplete="list"
        aria-expanded={suggestions.length > 0}
        aria-controls={suggestions.length > 0 ? `${id}-list` : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-keyshortcuts="/"
        aria-describedby={hint ? `${id}-hint` : undefined}
        placeholder="Search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 placeholder:text-muted"
      />
      {text !== '' && (
        <IconButton
          icon={X}
          iconSize={14}
          label="Clear search"
          onClick={clear}
          className="absolute top-0.5 right-0.5 size-7"
        />
      )}
      {hint && (
        <p
          id={`${id}-hint`}
          role={problem ? 'alert' : undefined}
          className={classNames('pt-1 text-xs', problem ? 'text-danger' : 'text-muted')}
        >
          {hint}
        </p>
      )}
      {suggestions.length > 0 && (
        <SearchOptions id={id} suggestions={suggestions} active={active} onChoose={choose} />
      )}
    </search>
  );
}
