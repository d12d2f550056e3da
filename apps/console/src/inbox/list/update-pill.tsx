import { ArrowUp } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { Keys } from '../../keyboard/keys.tsx';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { announce } from '../../shell/announcer.tsx';
import type { PendingChanges } from './order-changes.ts';

/** Changes within this time are announced once. */
const ANNOUNCE_DELAY_MS = 1_000;

/** Shows that the list is out of date, with a button that reloads it. Rows never move by themselves. */
export function UpdatePill({ pending, onUpdate }: { pending: PendingChanges; onUpdate(): void }) {
  const summary = summaryOf(pending);
  const update = useEffectEvent(onUpdate);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: '.', label: 'Refresh the list', group: 'Tickets', run: () => update() }],
    [],
  );
  useShortcuts(shortcuts);
  useEffect(() => {
    if (pending.added === 0) return;
    const timer = setTimeout(
      () =>
        announce(
          `${newTickets(pending.added)}. Refresh the list to show ${pending.added === 1 ? 'it' : 'them'}.`,
        ),
      ANNOUNCE_DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [pending.added]);

  if (!summary) return null;
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex justify-center px-3">
      <span className="toast-place absolute inset-x-0 top-0" />
      <button
        type="button"
        onClick={onUpdate}
        className="pointer-events-auto inline-flex h-8 items-center gap-2 rounded-full border border-line bg-raised pr-2 pl-3 text-xs font-medium text-accent shadow-lg hover:bg-hover"
      >
        <ArrowUp size={14} aria-hidden="true" />
        {summary}
        <span className="text-muted">Refresh</span>
        <Keys keys="." />
      </button>
    </div>
  );
}

function summaryOf({ added, moved, isUncertain }: PendingChanges): string | null {
  if (added > 0 && moved > 0) return `${newTickets(added)}, ${moved} changed`;
  if (added > 0) return newTickets(added);
  if (moved > 0) return moved === 1 ? '1 ticket changed' : `${moved} tickets changed`;
  return isUncertain ? 'List may be out of date' : null;
}

function newTickets(count: number): string {
  return count === 1 ? '1 new ticket' : `${count} new tickets`;
}
