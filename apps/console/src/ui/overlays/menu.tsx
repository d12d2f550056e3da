import { Check } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Keys } from '../../keyboard/keys.tsx';
import { classNames } from '../class-names.ts';
import { keepTakenFocus } from './overlay-focus.ts';

const item =
  'flex w-full items-center gap-2 rounded px-2 py-1.5 outline-none select-none data-[highlighted]:bg-hover data-[disabled]:opacity-50';

/** An item that can be chosen. */
const ITEM = '[role^=menuitem]:not([aria-disabled=true])';

/**
 * A menu that opens from `trigger`, a single element that accepts a ref. Pass `isOpen` to also open it by a shortcut. A function as its
 * content gets what was typed, and leaves out the items that do not match it.
 */
export function Menu({
  trigger,
  label,
  align = 'start',
  children,
  ...open
}: {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'center' | 'end';
  children: ReactNode | ((typed: string) => ReactNode);
} & ({ isOpen: boolean; onOpenChange(isOpen: boolean): void } | { isOpen?: never; onOpenChange?: never })) {
  return (
    // Not modal: the rest of the page stays visible to assistive technology, which must not find focusable elements hidden.
    <Radix.Root
      modal={false}
      {...(open.onOpenChange && { open: open.isOpen, onOpenChange: open.onOpenChange })}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        {/* Outside of the page's landmarks. */}
        <section aria-label={label}>
          <Content label={label} align={align}>
            {children}
          </Content>
        </section>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** The content of a menu that is open. It begins with the item that is chosen, if one of several is. */
function Content({
  label,
  align,
  children,
}: {
  label: string;
  align: 'start' | 'center' | 'end';
  children: ReactNode | ((typed: string) => ReactNode);
}) {
  const hasBegun = useRef(false);
  const [typed, setTyped] = useState('');
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (typed !== '') (content.current?.querySelector<HTMLElement>(ITEM) ?? content.current)?.focus();
  }, [typed]);
  const type = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isLetter = key.length === 1 && !(ctrlKey || metaKey || altKey) && (key !== ' ' || typed !== '');
    if (!isLetter && (key !== 'Backspace' || typed === '')) return;
    // Otherwise it moves to the items that begin with the letter.
    event.preventDefault();
    event.stopPropagation();
    setTyped(isLetter ? typed + key : typed.slice(0, -1));
  };
  const beginWithChosen = (event: FocusEvent<HTMLElement>) => {
    if (hasBegun.current || event.target !== event.currentTarget) return;
    hasBegun.current = true;
    const chosen = event.currentTarget.querySelector<HTMLElement>(
      '[aria-checked=true]:not([data-keeps-open])',
    );
    if (!chosen) return;
    // Keeps the focus from the first item.
    event.preventDefault();
    chosen.focus();
  };
  return (
    <Radix.Content
      ref={content}
      {...(typeof children === 'function' && { onKeyDownCapture: type })}
      aria-label={label}
      onFocus={beginWithChosen}
      onCloseAutoFocus={keepTakenFocus}
      align={align}
      sideOffset={4}
      collisionPadding={8}
      className="z-50 max-h-[min(32rem,var(--radix-dropdown-menu-content-available-height))] min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-xl"
    >
      {typed !== '' && <MenuLabel>“{typed}”</MenuLabel>}
      {typeof children === 'function' ? children(typed) : children}
    </Radix.Content>
  );
}

export function MenuItem({
  onSelect,
  isDisabled = false,
  keys,
  isDanger = false,
  children,
}: {
  onSelect(): void;
  isDisabled?: boolean;
  keys?: string;
  isDanger?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.Item
      className={classNames(item, isDanger && 'text-danger')}
      disabled={isDisabled}
      onSelect={onSelect}
    >
      <span className="flex flex-1 items-center gap-2">{children}</span>
      {keys && <Keys keys={keys} />}
    </Radix.Item>
  );
}

/** A menu item with a check mark when chosen. With `keepsOpen`, the menu stays open after a choice. */
export function MenuChoice({
  isChosen,
  onSelect,
  keepsOpen = false,
  isDisabled = false,
  children,
}: {
  isChosen: boolean;
  onSelect(): void;
  keepsOpen?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  return (
    <Radix.CheckboxItem
      className={item}
      {...(keepsOpen && { 'data-keeps-open': '' })}
      checked={isChosen}
      disabled={isDisabled}
      onSelect={(event) => {
        if (keepsOpen) event.preventDefault();
        onSelect();
      }}
    >
      <span className="flex flex-1 items-center gap-2">{children}</span>
      <Radix.ItemIndicator>
        <Check size={14} aria-hidden="true" />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 py-1 text-xs font-medium text-muted">{children}</Radix.Label>;
}

export function MenuSeparator() {
  return <Radix.Separator className="my-1 h-px bg-line" />;
}
