import { Tooltip as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Keys } from '../../keyboard/keys.tsx';

/** Shows a label on hover and focus. The child must be a single element that accepts a ref. */
export function Tooltip({ label, keys, children }: { label: ReactNode; keys?: string; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          className="z-50 flex max-w-72 items-center gap-2 rounded-md border border-line bg-raised px-2 py-1 text-xs text-text shadow-lg"
        >
          {label}
          {keys && <Keys keys={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
