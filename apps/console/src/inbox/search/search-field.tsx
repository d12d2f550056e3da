import { MAX_QUERY_LENGTH } from '@firmdesk/contract';
import { History, Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useAccount } from '../../session/account.ts';
import { useStoredValue } from '../../stored-value.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { IconButton } from '../../ui/button.tsx';
import { focusList } from '../list/ticket-rows.tsx';
import type { InboxSearch } from './inbox-search.ts';
import { recentSearches, rememberSearch } from './recent-searches.ts';
import { endsInOperator, parseSearchText, searchOperators } from './search-operators.ts';

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
  const userId = useAccount().user.id;
  const recent = useStoredValue(recentSearches(userId));
  const [text, setText] = useState(q);
  const [knownQ, setKnownQ] = useState(q);
  /** The searches of this field that the URL may not contain yet. */
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [hasFocus, setFocus] = useState(false);
  const hintId = useId();
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
    const parsed = parseSearchText(next, directory, isEntered);
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
    setProblem(null);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next), TYPING_MS);
  };
  const enter = (entered: string) => {
    if (entered.trim() !== '') rememberSearch(userId, entered.trim());
    if (!search(entered, true) && entered.trim() !== '') onFirstMatch();
  };
  const clear = () => {
    setText('');
    search('');
    input.current?.focus();
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
    if (event.key === 'Enter') enter(text);
    else if (event.key === 'Escape' && text !== '') clear();
    else if (event.key === 'Escape' || (event.key === 'ArrowDown' && !hasHelp)) focusList();
    else return;
    event.preventDefault();
  };
  const hasHelp = hasFocus && text === '';
  const isTyping = hasFocus && endsInOperator(text);
  const hint = problem ?? (isTyping ? 'Press Enter or Space to filter' : null);

  return (
    <search
      className="relative min-w-0 flex-1"
      onFocus={() => setFocus(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setFocus(false)}
    >
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-2 left-2.5 text-muted max-md:top-3.5"
      />
      <input
        ref={input}
        type="text"
        aria-label="Search tickets"
        aria-keyshortcuts="/"
        aria-describedby={hint ? hintId : undefined}
        placeholder="Search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 placeholder:text-muted"
      />
      {text !== '' && (
        <IconButton label="Clear search" onClick={clear} className="absolute top-0.5 right-0.5 size-7">
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
      {hint && (
        <p id={hintId} role={problem ? 'alert' : undefined} className="pt-1 text-xs text-muted">
          {hint}
        </p>
      )}
      {hasHelp && (
        <div className="absolute inset-x-0 top-full z-20 mt-1 rounded-lg border border-line bg-raised p-1 shadow-xl">
          {recent.length > 0 && (
            <ul aria-label="Recent searches">
              {recent.map((each) => (
                <li key={each}>
                  <button
                    type="button"
                    // Safari focuses no button that is clicked.
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => {
                      setText(each);
                      enter(each);
                      input.current?.focus();
                    }}
                    className="flex min-h-8 w-full items-center gap-2 rounded px-2 text-left hover:bg-hover"
                  >
                    <History size={13} aria-hidden="true" className="shrink-0 text-muted" />
                    <span className="truncate">{each}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          <SearchHelp />
        </div>
      )}
    </search>
  );
}

/** The operators of the search field, each with an example. */
function SearchHelp() {
  return (
    <div className="px-2 py-1.5 text-xs text-muted">
      <p className="mb-1">Operators</p>
      <ul className="flex flex-wrap gap-1">
        {[...Object.values(searchOperators), '"exact phrase"', '-word'].map((example) => (
          <li key={example} className="rounded bg-hover px-1.5 py-0.5 whitespace-nowrap">
            {example}
          </li>
        ))}
      </ul>
    </div>
  );
}
