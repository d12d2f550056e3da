import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CloseButton } from '../ui/dialog.tsx';
import { useOverlayFocus } from '../ui/overlay-focus.ts';

/** The details as a sheet over the page, for narrow screens. */
export function DetailsSheet({
  isOpen,
  onOpenChange,
  children,
}: {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
  children: ReactNode;
}) {
  const focus = useOverlayFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          className="fixed inset-y-0 right-0 z-50 w-[min(22rem,calc(100vw-2.5rem))] overflow-y-auto border-l border-line bg-raised shadow-2xl"
        >
          <div className="sticky top-0 flex items-center justify-between border-b border-line bg-raised px-4 py-2.5">
            <Radix.Title className="font-semibold">Trader and details</Radix.Title>
            <CloseButton />
          </div>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
