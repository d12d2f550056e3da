import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useOverlayFocus } from './overlay-focus.ts';

export interface DialogProps {
  title: string;
  description?: string;
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  /** A click outside does not close the dialog. For forms with typed values. */
  isKeptOpen?: boolean;
  children: ReactNode;
}

/** A modal dialog. It focuses its first field, traps the focus, closes with Esc and then returns the focus. */
export function Dialog({
  title,
  description,
  isOpen,
  onOpenChange,
  isKeptOpen = false,
  children,
}: DialogProps) {
  const focus = useOverlayFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          {...(!description && { 'aria-describedby': undefined })}
          {...focus}
          onInteractOutside={(event) => isKeptOpen && event.preventDefault()}
          className="fixed top-[max(1rem,6dvh)] left-1/2 z-50 max-h-[min(88dvh,calc(100dvh-2rem))] w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 overflow-y-auto rounded-xl border border-line bg-raised p-5 shadow-2xl"
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <div>
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-muted">{description}</Radix.Description>
              )}
            </div>
            <CloseButton />
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Closes the dialog around it. */
export function CloseButton() {
  return (
    <Radix.Close aria-label="Close" className="rounded p-1.5 text-muted hover:bg-hover hover:text-text">
      <X size={16} aria-hidden="true" />
    </Radix.Close>
  );
}
