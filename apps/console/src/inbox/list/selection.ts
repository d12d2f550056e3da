import { MAX_BULK_IDS } from '@firmdesk/contract';
import { useSyncExternalStore } from 'react';
import { announce } from '../../shell/announcer.tsx';

/** The tickets of a list that a bulk change applies to. */
export interface Selection {
  /** The key of the list. */
  readonly list: string;
  /** Whether all tickets that match the list's filters are selected, except `ids`. Otherwise only `ids` are. */
  readonly isAll: boolean;
  readonly ids: ReadonlySet<string>;
  /** The row at which a range begins. */
  readonly anchor: string | null;
  /** `ids` as they were before the range. */
  readonly beforeRange: ReadonlySet<string>;
}

const none = { ids: new Set<string>(), anchor: null, beforeRange: new Set<string>() };

let selection: Selection | null = null;
const listeners = new Set<() => void>();

/** Returns the selection of a list; null if there is none. */
export function useSelection(list: string): Selection | null {
  const current = useSyncExternalStore(subscribe, () => selection);
  return current?.list === list ? current : null;
}

export function isSelected({ isAll, ids }: Selection, ticket: string): boolean {
  return isAll !== ids.has(ticket);
}

/** Begins a selection without tickets, for screens without a keyboard. */
export function beginSelection(list: string): void {
  change({ list, isAll: false, ...none });
}

export function toggleSelected(list: string, ticket: string): void {
  const { isAll, ids } = selectionOf(list);
  const next = new Set(ids);
  if (!next.delete(ticket)) next.add(ticket);
  // The last ticket that is deselected ends the selection.
  if (next.size === 0 && !isAll) clearSelection();
  else change({ list, isAll, ids: next, anchor: ticket, beforeRange: next });
}

/** Selects the tickets of a range as well, instead of an earlier range from the same row: `anchor`. */
export function selectRange(list: string, tickets: readonly string[], anchor: string): void {
  const before = selectionOf(list);
  const { isAll } = before;
  const beforeRange = before.anchor === anchor ? before.beforeRange : before.ids;
  const next = new Set(beforeRange);
  for (const ticket of tickets) {
    if (isAll) next.delete(ticket);
    else next.add(ticket);
  }
  change({ list, isAll, ids: next, anchor, beforeRange });
}

/** Selects all tickets that match the list's filters, also those that are not loaded. */
export function selectAll(list: string): void {
  change({ list, isAll: true, ...none });
}

export function clearSelection(): void {
  if (!selection) return;
  selection = null;
  announce('Selection cleared');
  publish();
}

function selectionOf(list: string): Selection {
  return selection?.list === list ? selection : { list, isAll: false, ...none };
}

function change(next: Selection): void {
  if (next.ids.size > MAX_BULK_IDS) {
    announce(
      `You can select up to ${MAX_BULK_IDS} tickets one by one. Select all that match the filters instead.`,
    );
    return;
  }
  selection = next;
  announce(describeSelection(next));
  publish();
}

export function describeSelection({ isAll, ids }: Selection): string {
  if (!isAll) return `${ids.size} selected`;
  return ids.size === 0 ? 'All matching tickets' : `All matching tickets except ${ids.size}`;
}

function publish(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
