import { MAX_MAIL_QUERY_LENGTH } from '@firmdesk/contract';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { IconButton } from '../../ui/button.tsx';

/** Searches all mail. `/` focuses it, Enter searches and then opens the first match, Esc returns to the folder. */
export function MailSearchField({
  q,
  problem: found,
  onSearch,
  onFirstMatch,
  onFocusList,
}: {
  q: string;
  /** What is wrong with the search. */
  problem: string | undefined;
  onSearch(q: string): void;
  onFirstMatch(): void;
  onFocusList(): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const [knownQ, setKnownQ] = useState(q);
  if (q !== knownQ) {
    setKnownQ(q);
    setText(q);
  }
  const id = useId();
  const close = () => {
    setText('');
    onSearch('');
  };
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      {
        keys: '/',
        label: 'Search mail',
        group: 'Mail',
        movesFocus: true,
        run: () => input.current?.select(),
      },
    ],
    [],
  );
  useShortcuts(shortcuts);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      if (text.trim() === q) onFirstMatch();
      else onSearch(text.trim());
    } else if (event.key === 'ArrowDown') onFocusList();
    else if (event.key === 'Escape') {
      close();
      input.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const problem = text.trim() === q ? found : undefined;
  return (
    <search className="min-w-0 flex-1">
      <div className="relative">
        <Search
          size={15}
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          type="text"
          aria-label="Search mail"
          aria-keyshortcuts="/"
          aria-invalid={problem !== undefined}
          aria-describedby={problem ? `${id}-problem` : undefined}
          placeholder="Search mail"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_MAIL_QUERY_LENGTH}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="h-8 w-full rounded-md border border-line-strong bg-surface pr-8 pl-8 placeholder:text-muted aria-invalid:border-danger"
        />
        {text !== '' && (
          <IconButton
            icon={X}
            iconSize={14}
            label="Clear search"
            keys="Escape"
            onClick={close}
            className="absolute top-1/2 right-0.5 size-7 -translate-y-1/2"
          />
        )}
      </div>
      {problem && (
        <p id={`${id}-problem`} role="alert" className="pt-1 text-xs text-danger">
          {problem}
        </p>
      )}
    </search>
  );
}
