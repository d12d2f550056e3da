import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { CloseButton, Overlay } from '../../ui/overlays/dialog.tsx';

/** The details as a sheet over the page, for narrow screens. */
export function DetailsSheet({
  children,
  ...overlay
}: {
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}) {
  return (
    <Overlay
      {...overlay}
      className="inset-y-0 right-0 w-[min(22rem,calc(100vw-2.5rem))] overflow-y-auto border-l"
    >
      <div className="sticky top-0 flex items-center justify-between border-b border-line bg-raised px-4 py-2.5">
        <Radix.Title className="font-semibold">Trader and details</Radix.Title>
        <CloseButton />
      </div>
      {children}
    </Overlay>
  );
}
