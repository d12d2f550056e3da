import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Overlay } from './dialog.tsx';

const MOVES = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End', 'n', 'p', 'j', 'k']);

/** A dialog in which an entry is found by its text and chosen from a list, by keyboard or pointer. */
export function Picker({
  title,
  isTitleShown = false,
  placeholder,
  text,
  onText,
  highlighted,
  onMove,
  onBack,
  empty,
  footer,
  onClose,
  children,
}: {
  title: string;
  isTitleShown?: boolean;
  placeholder: string;
  text: string;
  onText(text: string): void;
  /** The highlighted item, for a picker that shows more about it. */
  highlighted?: { value: string; onValueChange(id: string): void };
  /** Called before the highlight is moved by a key or the pointer. */
  onMove?(): void;
  /** Called for Backspace in an empty text. */
  onBack?: (() => void) | undefined;
  /** Shown if there are no items. */
  empty: ReactNode;
  footer?: ReactNode;
  onClose(): void;
  children: ReactNode;
}) {
  return (
    <Overlay
      onClose={onClose}
      className="top-[12vh] left-1/2 flex max-h-[80dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col overflow-hidden rounded-xl border"
    >
      <Radix.Title className={isTitleShown ? 'px-4 pt-3 font-semibold' : 'sr-only'}>{title}</Radix.Title>
      <Command
        shouldFilter={false}
        label={title}
        className="flex min-h-0 flex-col"
        onPointerMoveCapture={onMove}
        onKeyDownCapture={(event) => {
          if (MOVES.has(event.key)) onMove?.();
          if (event.key === 'Backspace' && text === '') onBack?.();
        }}
        {...highlighted}
      >
        <Command.Input
          value={text}
          onValueChange={onText}
          placeholder={placeholder}
          className="w-full shrink-0 border-b border-line bg-transparent px-4 py-3 text-base outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[min(24rem,60dvh)] min-h-0 overflow-y-auto p-2">
          {children}
        </Command.List>
        {/* A list box may contain nothing but items. */}
        <Command.Empty className="px-5 pt-2 pb-6 text-center text-muted">{empty}</Command.Empty>
      </Command>
      {footer}
    </Overlay>
  );
}

export function PickerItem({
  id,
  isChosen = false,
  onChoose,
  children,
}: {
  id: string;
  isChosen?: boolean;
  onChoose(): void;
  children: ReactNode;
}) {
  return (
    <Command.Item
      value={id}
      onSelect={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 data-[selected=true]:bg-selected max-md:min-h-11 pointer-coarse:min-h-11"
    >
      {children}
      {isChosen && (
        <>
          <Check size={14} aria-hidden="true" className="shrink-0" />
          <span className="sr-only">(chosen)</span>
        </>
      )}
    </Command.Item>
  );
}

/** Items under a heading. */
export function PickerGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      {...(heading && { heading })}
      className="text-xs text-muted [&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-item]]:text-sm [&_[cmdk-item]]:text-text"
    >
      {children}
    </Command.Group>
  );
}
