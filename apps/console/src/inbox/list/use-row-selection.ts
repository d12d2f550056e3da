import { useEffectEvent, useMemo } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { usePermission } from '../../session/account.ts';
import { selectAll, selectRange, toggleSelected, useSelection } from './selection.ts';
import type { TicketList } from './ticket-lists.ts';

/**
 * Selects rows by keyboard and pointer: `x` toggles the row, `J` and `K` extend or shorten the selection, `X` selects all tickets of the
 * filters.
 *
 * @param options.hasKeys whether these keys are registered
 * @param options.goTo makes the row at a position the active one
 */
export function useRowSelection(
  { key, pages }: TicketList,
  active: number,
  { hasKeys, goTo }: { hasKeys: boolean; goTo(position: number): void },
) {
  const selection = useSelection(key);
  const isAllowed = usePermission('manage_tickets');
  /** Selects from the row at which the range began to a position. If that row has left the list, from the active one. */
  const extendTo = (position: number) => {
    const last = Math.max(0, Math.min(position, pages.count - 1));
    const began = selection?.anchor ? pages.positionOf(selection.anchor) : -1;
    const first = began >= 0 ? began : active >= 0 ? active : last;
    const anchor = pages.idAt(first);
    if (anchor === undefined) return;
    const tickets: string[] = [];
    for (let at = Math.min(first, last); at <= Math.max(first, last); at++) {
      const ticket = pages.idAt(at);
      if (ticket !== undefined) tickets.push(ticket);
    }
    selectRange(key, tickets, anchor);
  };
  const extendBy = (by: number) => {
    if (!isAllowed) return;
    const to = active < 0 ? 0 : active + by;
    extendTo(to);
    goTo(to);
  };
  const toggleActive = useEffectEvent(() => {
    const ticket = pages.idAt(Math.max(0, active));
    if (ticket === undefined) return;
    if (active < 0) goTo(0);
    toggleSelected(key, ticket);
  });
  const extendNow = useEffectEvent(extendBy);
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'x', label: 'Select or deselect the ticket', group: 'Tickets', run: () => toggleActive() },
      { keys: 'J', label: 'Extend the selection down', group: 'Tickets', run: () => extendNow(1) },
      { keys: 'K', label: 'Extend the selection up', group: 'Tickets', run: () => extendNow(-1) },
      { keys: 'X', label: 'Select all matching tickets', group: 'Tickets', run: () => selectAll(key) },
    ],
    [key],
  );
  useShortcuts(shortcuts, isAllowed && hasKeys);
  return {
    selection: isAllowed ? selection : null,
    isAllowed,
    extendBy,
    /** Handles a click that selects. Returns whether it did. */
    click(ticket: string, { isRange, isToggle }: { isRange: boolean; isToggle: boolean }): boolean {
      if (!isAllowed || !(isRange || isToggle)) return false;
      if (isRange) extendTo(pages.positionOf(ticket));
      else toggleSelected(key, ticket);
      return true;
    },
  };
}
