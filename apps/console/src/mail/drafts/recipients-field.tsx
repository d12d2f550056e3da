import type { MailRecipient } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { trpc } from '../../api.ts';
import { announce } from '../../shell/announcer.tsx';
import { classNames } from '../../ui/class-names.ts';
import { addressOf, nameOf, recipientAddresses, splitRecipients } from './recipients.ts';
import { suggestPeople } from './suggest-people.ts';

/** People are loaded once, for all drafts. */
const PEOPLE_MS = 300_000;

/** What ends an address while it is typed. */
const SEPARATOR = /[,;\n]/;

/** Returns whether nothing follows the last separator. */
function endsWithSeparator(text: string): boolean {
  return /[,;]$/.test(text.trimEnd()) || text.endsWith('\n');
}

interface RecipientsFieldProps {
  label: string;
  /** The recipients as text, separated by commas. The last one can be half typed. */
  value: string;
  onChange(value: string): void;
  error?: string | undefined;
  /** The addresses that the service refuses, by their place. */
  refused?: ReadonlySet<number>;
  autoFocus?: boolean;
}

/**
 * The recipients of a message, each a chip, and a field for more with suggestions. A separator, Enter, Tab and leaving the field end an address. Backspace
 * at the start takes the last one back to change it.
 */
export function RecipientsField({
  label,
  value,
  onChange,
  error,
  refused,
  autoFocus = false,
}: RecipientsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { chips, typed, set } = useRecipients(value, onChange);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { data: people = [] } = useQuery(
    trpc.mail.threads.correspondents.queryOptions(undefined, { staleTime: PEOPLE_MS }),
  );
  const suggested = isOpen ? suggestPeople(people, typed, chips.map(addressOf)) : [];
  const chosen = suggested[active] ?? suggested[0];

  const add = (text: string) => {
    const added = splitRecipients(text).filter(
      (one) => !chips.some((chip) => addressOf(chip).toLowerCase() === addressOf(one).toLowerCase()),
    );
    set([...chips, ...added], '');
    setOpen(false);
    if (added.length > 0) announce(`${added.map(nameOf).join(', ')} added to ${label}`);
  };
  const choose = (person: MailRecipient) => add(recipientAddresses([person]));
  const remove = (index: number) => {
    announce(`${nameOf(chips[index]!)} removed from ${label}`);
    set(chips.toSpliced(index, 1), typed);
    input.current?.focus();
  };
  const change = (text: string) => {
    setActive(0);
    setOpen(true);
    if (!SEPARATOR.test(text)) return set(chips, text);
    const parts = splitRecipients(text);
    // A separator inside of a quoted name ends nothing.
    if (parts.length === 1 && !endsWithSeparator(text)) return set(chips, text);
    const rest = endsWithSeparator(text) ? '' : (parts.pop() ?? '');
    set([...chips, ...parts], rest);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const isStart = event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === 0;
    if (event.metaKey || event.ctrlKey || event.nativeEvent.isComposing) return;
    if (suggested.length > 0 && (key === 'ArrowDown' || key === 'ArrowUp')) {
      const by = key === 'ArrowDown' ? 1 : -1;
      setActive((active + by + suggested.length) % suggested.length);
    } else if (suggested.length > 0 && key === 'Escape') setOpen(false);
    else if ((key === 'Enter' || key === 'Tab') && chosen && typed.trim() !== '') choose(chosen);
    else if (key === 'Enter' && typed.trim() !== '') add(typed);
    else if (key === 'Backspace' && isStart && chips.length > 0) {
      set(chips.slice(0, -1), `${chips.at(-1)!}${typed}`);
    } else if (key === 'ArrowLeft' && isStart && chips.length > 0) focusChip(input.current, chips.length - 1);
    else if (key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (splitRecipients(text).length < 2) return;
    event.preventDefault();
    add(`${typed}${text}`);
  };
  return (
    <div className="block">
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <div
        className={classNames(
          'relative flex min-h-9 flex-wrap items-center gap-1 rounded-md border bg-surface px-1.5 py-1 focus-within:outline-2 focus-within:outline-accent',
          error ? 'border-danger' : 'border-line-strong',
        )}
      >
        {chips.length > 0 && (
          <ul aria-label={`${label}: recipients`} className="contents">
            {chips.map((chip, index) => (
              <Chip
                key={`${addressOf(chip)} ${index}`}
                recipient={chip}
                isRefused={refused?.has(index) ?? false}
                onRemove={() => remove(index)}
                onMove={(by) =>
                  index + by >= chips.length ? input.current?.focus() : focusChip(input.current, index + by)
                }
              />
            ))}
          </ul>
        )}
        <input
          ref={input}
          id={id}
          role="combobox"
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: a new draft begins with its recipients
          autoFocus={autoFocus}
          aria-label={label}
          aria-expanded={suggested.length > 0}
          aria-controls={`${id}-people`}
          aria-autocomplete="list"
          aria-activedescendant={chosen ? `${id}-${suggested.indexOf(chosen)}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-description` : undefined}
          value={typed}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          onBlur={() => {
            setOpen(false);
            if (typed.trim() !== '') add(typed);
          }}
          className="h-7 min-w-24 flex-1 bg-transparent px-1 outline-none"
        />
        <div
          id={`${id}-people`}
          role="listbox"
          aria-label={`Suggestions for ${label}`}
          hidden={suggested.length === 0}
          className="absolute top-full left-0 z-40 mt-1 max-h-72 w-full overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
        >
          {suggested.map((person, index) => (
            // The field has the focus, and handles the keys.
            // biome-ignore lint/a11y/useKeyWithClickEvents: as above
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={person.email}
              id={`${id}-${index}`}
              role="option"
              aria-selected={person === chosen}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              className="flex cursor-pointer items-baseline gap-2 rounded-md px-2 py-1.5 aria-selected:bg-selected pointer-coarse:min-h-11"
            >
              {person.name && <span className="truncate font-medium">{person.name}</span>}
              <span className={classNames('truncate', person.name && 'text-muted')}>{person.email}</span>
            </div>
          ))}
        </div>
      </div>
      {error && (
        <p id={`${id}-description`} className="mt-1 text-xs text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** A recipient. Arrow keys move among recipients, Backspace and Delete remove one. */
function Chip({
  recipient,
  isRefused,
  onRemove,
  onMove,
}: {
  recipient: string;
  isRefused: boolean;
  onRemove(): void;
  onMove(by: 1 | -1): void;
}) {
  const name = nameOf(recipient);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') onMove(-1);
    else if (event.key === 'ArrowRight') onMove(1);
    else if (event.key === 'Backspace' || event.key === 'Delete') onRemove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li
      title={addressOf(recipient)}
      className={classNames(
        'flex max-w-full items-center gap-1 rounded border pl-2',
        isRefused ? 'border-danger text-danger' : 'border-line bg-canvas',
      )}
    >
      <span className="truncate">
        {name}
        {isRefused && <span className="sr-only">, not an address</span>}
      </span>
      <button
        type="button"
        tabIndex={-1}
        data-chip
        aria-label={`Remove ${name}`}
        onClick={onRemove}
        onKeyDown={onKeyDown}
        className="grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-hover hover:text-text"
      >
        <X size={13} aria-hidden="true" />
      </button>
    </li>
  );
}

/** Focuses a chip of the field of an input. */
function focusChip(input: HTMLElement | null, index: number): void {
  input?.parentElement?.querySelectorAll<HTMLElement>('[data-chip]')[Math.max(0, index)]?.focus();
}

/** Divides the text of the field into recipients and what is being typed. A text from elsewhere has only recipients. */
function useRecipients(value: string, onChange: (value: string) => void) {
  const [known, setKnown] = useState({ value, chips: splitRecipients(value), typed: '' });
  let { chips, typed } = known;
  if (known.value !== value) {
    [chips, typed] = [splitRecipients(value), ''];
    setKnown({ value, chips, typed });
  }
  return {
    chips,
    typed,
    set(chips: string[], typed: string) {
      const next = [...chips, ...(typed.trim() === '' ? [] : [typed])].join(', ');
      setKnown({ value: next, chips, typed });
      if (next !== value) onChange(next);
    },
  };
}
