import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from '../button.tsx';
import { useOverlayFocus } from './overlay-focus.ts';

/** Asks for confirmation before an action that cannot be undone, or that concerns much. The focus starts on Cancel. */
export function ConfirmDialog({
  title,
  children,
  confirmLabel,
  isDanger = true,
  isOpen = true,
  onClose,
  onConfirm,
}: {
  title: string;
  /** What the action does. */
  children: ReactNode;
  confirmLabel: string;
  /** Whether it cannot be undone. */
  isDanger?: boolean;
  isOpen?: boolean;
  onClose(): void;
  onConfirm(): void;
}) {
  const { onCloseAutoFocus, onOpenAutoFocus } = useOverlayFocus();
  return (
    <Radix.Root open={isOpen} onOpenChange={() => onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Radix.Content
          onOpenAutoFocus={onOpenAutoFocus}
          onCloseAutoFocus={onCloseAutoFocus}
          className="fixed top-[20vh] left-1/2 z-50 w-[min(28rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border border-line bg-raised p-5 shadow-2xl"
        >
          <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
          <Radix.Description className="mt-2 text-muted">{children}</Radix.Description>
          <div className="mt-5 flex justify-end gap-2">
            <Radix.Cancel asChild>
              <Button data-initial-focus>Cancel</Button>
            </Radix.Cancel>
            <Radix.Action asChild>
              <Button variant={isDanger ? 'danger' : 'solid'} onClick={onConfirm}>
                {confirmLabel}
              </Button>
            </Radix.Action>
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
