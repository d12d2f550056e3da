import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { trpc } from '../../api.ts';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/fields/field.tsx';
import { responses } from './responses.ts';

/** A person of an event. */
export interface Guest {
  name: string | null;
  email: string;
  response: string;
  is_organizer: boolean;
  is_optional: boolean;
}

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+$/;
const SEPARATORS = new Set(['Enter', ',', ';']);

/** The guests of an event: colleagues, found by any part of their name or address, and anybody else by address. Each gets an invitation by mail. */
export function GuestsField({
  guests,
  error,
  onChange,
}: {
  guests: readonly Guest[];
  error: string | undefined;
  onChange(guests: Guest[]): void;
}) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [isInvalid, setInvalid] = useState(false);
  const listId = useId();
  const typed = text.trim();
  const { data = [] } = useQuery(
    trpc.calendar.people.queryOptions({ q: typed }, { enabled: typed !== '', staleTime: 60_000 }),
  );
  const isGuest = (email: string) =>
    guests.some((guest) => guest.email.toLowerCase() === email.toLowerCase());
  const found = typed === '' ? [] : data.filter(({ email }) => !isGuest(email));
  const add = (email: string, name: string | null) => {
    setText('');
    setAt(0);
    if (!isGuest(email))
      onChange([
        ...guests,
        { name, email, response: 'needs_action', is_organizer: false, is_optional: false },
      ]);
  };
  const addTyped = () => {
    if (ADDRESS.test(typed)) add(typed, null);
    else setInvalid(typed !== '');
  };
  const highlighted = found[Math.min(at, found.length - 1)];
  return (
    <div>
      <div>
        <TextField
          label="Guests"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={highlighted && `${listId}-${highlighted.id}`}
          autoComplete="off"
          placeholder="Name or address"
          value={text}
          error={isInvalid ? `“${typed}” is not an address.` : error}
          onChange={({ target }) => {
            setInvalid(false);
            setText(target.value);
            setAt(0);
          }}
          onBlur={addTyped}
          onKeyDown={(event) => {
            const { key } = event;
            if (key === 'ArrowDown' && found.length > 0) setAt((now) => Math.min(now + 1, found.length - 1));
            else if (key === 'ArrowUp' && found.length > 0) setAt((now) => Math.max(0, now - 1));
            else if (SEPARATORS.has(key) && typed !== '') {
              if (key === 'Enter' && highlighted) add(highlighted.email, highlighted.name);
              else addTyped();
            } else if (key === 'Backspace' && text === '' && guests.at(-1)?.is_organizer === false)
              return onChange(guests.slice(0, -1));
            else return;
            event.preventDefault();
          }}
        />
        <div
          id={listId}
          role="listbox"
          aria-label="People"
          hidden={found.length === 0}
          // The dialog scrolls, and the list can be below what it shows.
          ref={(list) => list?.scrollIntoView({ block: 'nearest' })}
          className="mt-1 max-h-56 overflow-y-auto rounded-md border border-line bg-surface p-1"
        >
          {found.map(({ id, name, email }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the text box has the focus and handles the keys
            <div
              key={id}
              id={`${listId}-${id}`}
              role="option"
              tabIndex={-1}
              aria-selected={highlighted?.id === id}
              className={classNames(
                'flex min-h-9 cursor-pointer items-center gap-2 rounded-md px-2 hover:bg-hover pointer-coarse:min-h-11',
                highlighted?.id === id && 'bg-selected',
              )}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => add(email, name)}
            >
              <span className="truncate">{name}</span>
              <span className="truncate text-muted">{email}</span>
            </div>
          ))}
        </div>
      </div>
      {guests.length > 0 && (
        <ul aria-label="Invited" className="mt-2 flex flex-wrap gap-1">
          {guests.map(({ name, email, response, is_organizer }) => (
            <li
              key={email}
              title={email}
              className="flex min-h-7 max-w-full items-center gap-1 rounded-full border border-line bg-canvas pl-2.5 pr-1"
            >
              <span className="truncate">{name ?? email}</span>
              <span className="text-xs text-muted">
                {is_organizer ? 'Organizer' : response === 'needs_action' ? '' : responses[response]}
              </span>
              {!is_organizer && (
                <button
                  type="button"
                  aria-label={`Remove ${name ?? email}`}
                  className="flex size-6 items-center justify-center rounded-full text-muted hover:bg-hover hover:text-text"
                  onClick={() => onChange(guests.filter((guest) => guest.email !== email))}
                >
                  <X size={13} aria-hidden="true" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
