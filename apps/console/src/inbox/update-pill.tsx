import { ArrowUp } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { Keys } from '../keyboard/keys.tsx';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { announce } from '../shell/announcer.tsx';
import type { PendingChanges } from './order-changes.ts';

/** Several changes in a row are told once. */
const TOLD_AFTER_MS = 1_000;

/** Says that the list would now be another, and puts it in order when asked to: nothing moves by itself. */
export function UpdatePill({ pending, onUpdate }: { pending: PendingChanges; onUpdate(): void }) {
  const words = summaryOf(pending);
  const update = useEffectEvent(onUpdate);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: '.', label: 'Update the list', group: 'Tickets', run: () => update() }],
    [],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    if (pending.added === 0) return;
    const timer = setTimeout(
      () => announce(`${newTickets(pending.added)}. Update the list to see.`),
      TOLD_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [pending.added]);

  if (!words) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex justify-center px-3">
      <button
        type="button"
        onClick={onUpdate}
        className="pointer-events-auto inline-flex h-8 items-center gap-2 rounded-full border border-line bg-raised pr-2 pl-3 text-xs font-medium text-accent shadow-lg hover:bg-hover"
      >
        <ArrowUp size={14} aria-hidden="true" />
        {words}
        <span className="text-muted">Update</span>
        <Keys keys="." />
      </button>
    </div>
  );
}

function summaryOf({ added, moved, isUncertain }: PendingChanges): string | null {
  if (added > 0 && moved > 0) return `${newTickets(added)}, ${moved} moved`;
  if (added > 0) return newTickets(added);
  if (moved > 0) return `${moved} moved`;
  return isUncertain ? 'There may be changes' : null;
}

function newTickets(count: number): string {
  return count === 1 ? '1 new ticket' : `${count} new tickets`;
}
