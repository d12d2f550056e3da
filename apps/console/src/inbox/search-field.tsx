import { MAX_QUERY_LENGTH } from '@firmdesk/contract';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { IconButton } from '../ui/button.tsx';
import { focusList } from './ticket-rows.tsx';

/** The pause in typing after which a search starts. */
const TYPING_MS = 250;

/** The search field. `/` focuses it. Esc clears it, then returns to the list. */
export function SearchField({ q, onSearch }: { q: string; onSearch(q: string): void }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [knownQ, setKnownQ] = useState(q);
  if (q !== knownQ) {
    setKnownQ(q);
    // The URL changed elsewhere. Text that was just typed is newer than the URL.
    if (q !== text.trim()) setText(q);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const search = (next: string) => {
    clearTimeout(timer.current);
    if (next.trim() !== q) onSearch(next.trim());
  };
  const type = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(next), TYPING_MS);
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
    if (event.key === 'Enter') search(text);
    else if (event.key === 'Escape' && text !== '') clear();
    else if (event.key === 'Escape' || event.key === 'ArrowDown') focusList();
    else return;
    event.preventDefault();
  };

  return (
    <search className="relative min-w-0 flex-1">
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 my-auto text-muted"
      />
      <input
        ref={input}
        type="text"
        aria-label="Search tickets"
        aria-keyshortcuts="/"
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
        <IconButton
          label="Clear search"
          onClick={clear}
          className="absolute inset-y-0 right-0.5 my-auto size-7"
        >
          <X size={14} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  );
}
