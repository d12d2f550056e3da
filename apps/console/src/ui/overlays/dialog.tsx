import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { useOverlayFocus } from './overlay-focus.ts';

export interface DialogProps {
  title: string;
  description?: string | undefined;
  isOpen?: boolean | undefined;
  onClose(): void;
  /** A click outside does not close the dialog. For forms with typed values. */
  isKeptOpen?: boolean | undefined;
  /** Called before Escape closes the dialog, which `preventDefault` keeps open: to close a list of its field first. */
  onEscapeKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  children: ReactNode;
}

/** A modal dialog with a title and a close button. */
export function Dialog({ title, description, children, ...overlay }: DialogProps) {
  return (
    <Overlay
      {...overlay}
      isDescribed={description !== undefined}
      className="top-[max(1rem,6dvh)] left-1/2 max-h-[min(88dvh,calc(100dvh-2rem))] w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto rounded-xl border p-5"
    >
      <div className="mb-4 flex items-start justify-between gap-4">
        <div>
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          {description && <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>}
        </div>
        <CloseButton />
      </div>
      {children}
    </Overlay>
  );
}

/** A surface over the page. It focuses its first field, traps the focus, closes with Esc and then returns the focus. */
export function Overlay({
  isOpen = true,
  onClose,
  isKeptOpen = false,
  onEscapeKeyDown,
  isDescribed = false,
  className,
  children,
}: Pick<DialogProps, 'isOpen' | 'onClose' | 'isKeptOpen' | 'onEscapeKeyDown' | 'children'> & {
  /** Whether it has a description for screen readers. */
  isDescribed?: boolean;
  className: string;
}) {
  const focus = useOverlayFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={() => onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...(!isDescribed && { 'aria-describedby': undefined })}
          {...focus}
          {...(onEscapeKeyDown && { onEscapeKeyDown })}
          onInteractOutside={(event) => isKeptOpen && event.preventDefault()}
          className={classNames('fixed z-50 border-line bg-raised shadow-2xl', className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog around it. */
export function CloseButton() {
  return (
    <Radix.Close
      aria-label="Close"
      className="grid place-items-center rounded p-1.5 text-muted hover:bg-hover hover:text-text"
    >
      <X size={16} aria-hidden="true" />
    </Radix.Close>
  );
}
