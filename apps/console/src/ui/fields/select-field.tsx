import { Check, ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
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

interface Choices {
  chosen: string;
  /** The list that is open; null where the chosen value is shown. */
  list: { id: string; active: string; onMove(value: string): void; onChoose(value: string): void } | null;
}

const ChoicesContext = createContext<Choices>({ chosen: '', list: null });

/**
 * Chooses one of few values, as the ARIA pattern of a combobox without a text: the field keeps the focus, the arrow keys, Home, End and
 * first letters move in the list, Enter, Space and Tab choose. The list opens on the current value.
 */
export function SelectField({
  value,
  onValue,
  children,
  ...props
}: Described & {
  className?: string;
  disabled?: boolean;
  /** Whether a dialog begins here. */
  'data-initial-focus'?: boolean;
  value: string | number;
  onValue(value: string): void;
  /** `Choice`s. */
  children: ReactNode;
}) {
  const { frame, described, rest } = useField(props);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const letters = useRef({ text: '', at: 0 });
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState('');
  const chosen = String(value);
  const show = (next: boolean) => {
    letters.current = { text: '', at: 0 };
    setActive(chosen);
    setOpen(next);
  };
  const choose = (next: string) => {
    setOpen(false);
    if (next !== chosen) onValue(next);
  };
  const find = () => {
    const found = findByLetters(optionsOf(list), active, letters.current.text);
    if (found) setActive(valueOfOption(found));
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
      const at = options.findIndex((option) => valueOfOption(option) === active);
      const next = {
        ArrowDown: at + 1,
        ArrowUp: at - 1,
        PageDown: at + PAGE,
        PageUp: at - PAGE,
        Home: 0,
        End: options.length,
      }[key];
      if (next === undefined || options.length === 0) return;
      setActive(valueOfOption(options[Math.min(Math.max(next, 0), options.length - 1)]!));
    }
    event.preventDefault();
  };
  return (
    <Field {...frame}>
      <Popover.Root open={isOpen} onOpenChange={show}>
        <Popover.Trigger
          role="combobox"
          aria-haspopup="listbox"
          aria-activedescendant={isOpen ? optionId(id, active) : undefined}
          className={classNames(
            control,
            'flex h-9 items-center justify-between gap-2 text-left disabled:opacity-50',
          )}
          onKeyDown={onKeyDown}
          // Space has chosen already.
          onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
          {...described}
          {...rest}
        >
          <span className="truncate">
            <ChoicesContext value={{ chosen, list: null }}>{children}</ChoicesContext>
          </span>
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
            <ChoicesContext value={{ chosen, list: { id, active, onMove: setActive, onChoose: choose } }}>
              {children}
            </ChoicesContext>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </Field>
  );
}

/** A value of a `SelectField`. */
export function Choice({
  value,
  isDisabled = false,
  children,
}: {
  value: string | number;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const { chosen, list } = use(ChoicesContext);
  const own = String(value);
  const isChosen = own === chosen;
  if (!list) return isChosen && children;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    <div
      id={optionId(list.id, own)}
      role="option"
      tabIndex={-1}
      data-value={own}
      aria-selected={isChosen}
      aria-disabled={isDisabled}
      // Keeps the focus in the field.
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={() => !isDisabled && list.onMove(own)}
      onClick={() => !isDisabled && list.onChoose(own)}
      className={classNames(
        'flex min-h-8 cursor-pointer items-center justify-between gap-3 rounded px-2 py-1 select-none aria-disabled:opacity-50 max-md:min-h-11 pointer-coarse:min-h-11',
        own === list.active && 'bg-selected forced-colors:outline',
      )}
    >
      <span className="min-w-0">{children}</span>
      {isChosen && <Check size={14} aria-hidden="true" className="shrink-0" />}
    </div>
  );
}

/** Keeps the active entry in view. A list that letters opened begins with their entry. */
function Shown({
  list,
  active,
  onOpen,
}: {
  list: RefObject<HTMLElement | null>;
  active: string;
  onOpen(): void;
}) {
  useEffect(onOpen, []);
  useEffect(() => {
    const box = list.current;
    const option = optionsOf(list).find((each) => valueOfOption(each) === active);
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

function valueOfOption({ dataset }: HTMLElement): string {
  return dataset['value']!;
}

function optionId(id: string, value: string): string {
  return `${id}-${encodeURIComponent(value)}`;
}

/** Returns the entry that begins with what was typed. A repeated letter moves on to its next entry. */
function findByLetters(options: HTMLElement[], active: string, text: string): HTMLElement | undefined {
  if (text === '') return undefined;
  const isRepeated = [...text].every((letter) => letter === text[0]);
  const wanted = (isRepeated ? text[0]! : text).toLowerCase();
  const at = options.findIndex((option) => valueOfOption(option) === active);
  const from = Math.max(at + (isRepeated ? 1 : 0), 0);
  const inOrder = [...options.slice(from), ...options.slice(0, from)];
  return inOrder.find((option) => option.textContent.trim().toLowerCase().startsWith(wanted));
}
