import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { classNames } from '../class-names.ts';
import { control, type Described, Field, useField } from './field.tsx';

/** How long letters belong together. */
const TYPING_MS = 700;
/** By how many entries Page Up and Page Down move. */
const PAGE = 10;

/** A value with its label, and whether it cannot be chosen. */
export type Choice<Value> = readonly [value: Value, label: ReactNode, isDisabled?: boolean];

/** Returns the choices of records by their ids. */
export function named<Id>(records: readonly { id: Id; name: string }[]): Choice<Id>[] {
  return records.map(({ id, name }) => [id, name]);
}

/** Returns the choices of values by their labels. */
export function labelled<Value extends string>(labels: Readonly<Record<Value, string>>): Choice<Value>[] {
  return Object.entries<string>(labels) as [Value, string][];
}

/**
 * Chooses one of few values, as the ARIA pattern of a combobox without a text: the field keeps the focus, the arrow keys, Home, End and
 * first letters move in the list, Enter, Space and Tab choose. The list opens on the current value.
 */
export function SelectField<Value extends string | number | boolean | null>({
  value,
  choices,
  onValue,
  ...props
}: Described & {
  className?: string;
  /** Whether a dialog begins here. */
  'data-initial-focus'?: boolean;
  value: Value;
  choices: readonly Choice<NoInfer<Value>>[];
  onValue(value: NoInfer<Value>): void;
}) {
  const { frame, described, rest } = useField(props);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const letters = useRef({ text: '', at: 0 });
  const [isOpen, setOpen] = useState(false);
  /** The place of the active entry. */
  const [active, setActive] = useState(-1);
  const chosen = choices.findIndex(([each]) => each === value);
  const show = (next: boolean) => {
    letters.current = { text: '', at: 0 };
    setActive(chosen);
    setOpen(next);
  };
  const choose = (at: number) => {
    setOpen(false);
    if (at !== chosen) onValue(choices[at]![0]);
  };
  const find = () => {
    const found = findByLetters(optionsOf(list), active, letters.current.text);
    if (found) setActive(placeOf(found));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, timeStamp, ctrlKey, metaKey } = event;
    if (ctrlKey || metaKey) return;
    const isTyping = timeStamp - letters.current.at < TYPING_MS;
    const isLetter = key.length === 1 && (key !== ' ' || isTyping);
    if (isLetter) {
      const text = isTyping ? letters.current.text + key : key;
      if (!isOpen) show(true);
      letters.current = { text, at: timeStamp };
      find();
    } else if (!isOpen) {
      if (!['ArrowDown', 'ArrowUp', 'Enter', ' '].includes(key)) return;
      show(true);
    } else if (key === 'Tab') {
      choose(active);
      return;
    } else if (key === 'Enter' || key === ' ') choose(active);
    else {
      const options = optionsOf(list);
      const at = options.findIndex((option) => placeOf(option) === active);
      const next = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        PageDown: at + PAGE,
        PageUp: at - PAGE,
        Home: 0,
        End: options.length,
      }[key];
      if (next === undefined || options.length === 0) return;
      setActive(placeOf(options[Math.min(Math.max(next, 0), options.length - 1)]!));
    }
    event.preventDefault();
  };
  return (
    <Field {...frame}>
      <Popover.Root open={isOpen} onOpenChange={show}>
        <Popover.Trigger
          role="combobox"
          aria-haspopup="listbox"
          aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
          className={classNames(
            control,
            'flex min-h-9 items-center justify-between gap-2 py-1 text-left leading-5',
          )}
          onKeyDown={onKeyDown}
          // Space has chosen already.
          onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
          {...described}
          {...rest}
        >
          {/* A long value takes a second line. */}
          <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{choices[chosen]?.[1]}</span>
          <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-muted" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            ref={list}
            role="listbox"
            aria-label={props.label}
            align="start"
            sideOffset={4}
            collisionPadding={8}
            onOpenAutoFocus={(event) => event.preventDefault()}
            className="z-50 max-h-[min(24rem,var(--radix-popover-content-available-height))] max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
          >
            <Shown list={list} active={active} onOpen={find} />
            {choices.map(([value, label, isDisabled = false], at) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
              <div
                key={value === null ? null : String(value)}
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                data-place={at}
                aria-selected={at === chosen}
                aria-disabled={isDisabled}
                // Keeps the focus in the field.
                onPointerDown={(event) => event.preventDefault()}
                onPointerMove={() => isDisabled || setActive(at)}
                onClick={() => isDisabled || choose(at)}
                className={classNames(
                  'flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded px-2 py-1 select-none aria-disabled:opacity-50 max-md:min-h-11 pointer-coarse:min-h-11',
                  at === active && 'bg-selected forced-colors:outline',
                )}
              >
                <span className="min-w-0 [overflow-wrap:anywhere]">{label}</span>
                {at === chosen && <Check size={14} aria-hidden="true" className="shrink-0" />}
              </div>
            ))}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}

/** Keeps the active entry in view. A list that letters opened begins with their entry. */
function Shown({
  list,
  active,
  onOpen,
}: {
  list: RefObject<HTMLElement | null>;
  active: number;
  onOpen(): void;
}) {
  useEffect(onOpen, []);
  useEffect(() => {
    const box = list.current;
    const option = optionsOf(list).find((each) => placeOf(each) === active);
    // Not `scrollIntoView`: the list has no place yet when it opens.
    if (!box || !option) return;
    const below = option.offsetTop + option.offsetHeight - box.clientHeight;
    box.scrollTop = Math.max(below, Math.min(box.scrollTop, option.offsetTop));
  }, [list, active]);
  return null;
}

function optionsOf(list: RefObject<HTMLElement | null>): HTMLElement[] {
  return [...(list.current?.querySelectorAll<HTMLElement>('[role=option]:not([aria-disabled=true])') ?? [])];
}

function placeOf({ dataset }: HTMLElement): number {
  return Number(dataset['place']);
}

/** Returns the entry that begins with what was typed. A repeated letter moves on to its next entry. */
function findByLetters(options: HTMLElement[], active: number, text: string): HTMLElement | undefined {
  if (text === '') return undefined;
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const wanted = (isRepeated ? text[0]! : text).toLowerCase();
  const at = options.findIndex((option) => placeOf(option) === active);
  const from = Math.max(at + (isRepeated ? 1 : 0), 0);
  const inOrder = [...options.slice(from), ...options.slice(0, from)];
  return inOrder.find((option) => option.textContent.trim().toLowerCase().startsWith(wanted));
}
