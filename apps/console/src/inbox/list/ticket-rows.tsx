import { isChosen, type TicketGroup, ticketGroupStatuses, ticketStatuses } from '@firmdesk/contract';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useTicketsWithDraft } from '../../tickets/composer/draft-badge.tsx';
import { setTicketOpener } from '../../tickets/next-ticket.ts';
import { useHighlights } from '../search/highlight-matches.ts';
import { jumpToMatch, setFirstMatchOpener } from '../search/match-jump.ts';
import { useDebounced } from '../search/use-debounced.ts';
import { isSideBySide, useIsListVisible } from '../side-by-side.ts';
import { preloadTicket } from './preload-ticket.ts';
import { isSelected } from './selection.ts';
import type { TicketList } from './ticket-lists.ts';
import { LoadingRow, ROW_HEIGHT, rowElementId, TicketRow } from './ticket-row.tsx';
import { useFollowedRow } from './use-followed-row.ts';
import { usePreloaded, usePreloadedNeighbours } from './use-preloaded.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useRowsAhead } from './use-rows-ahead.ts';

/** The DOM ids of the list and of the pane with the open ticket. */
export const LIST_ID = 'ticket-list';
export const TICKET_PANE_ID = 'ticket';

export function focusList(): void {
  document.getElementById(LIST_ID)?.focus({ preventScroll: true });
}

/**
 * The virtualized rows of a list.
 *
 * @param props.isCurrent whether the list is that of the URL. While another one loads, opening a row would go back to this one.
 */
export function TicketRows({
  list,
  isCurrent,
  openId,
}: {
  list: TicketList;
  isCurrent: boolean;
  openId: string | undefined;
}) {
  const { pages, filters } = list;
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [activeId, setActiveId, willOpen] = useActiveRow(list, openId);
  const virtualizer = useVirtualizer({
    count: pages.count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    initialOffset: () => list.offset,
  });
  const router = useRouter();
  const withDraft = useTicketsWithDraft();
  const query = useMemo(
    () => router.buildLocation({ to: '/tickets', search: filters }).searchStr,
    [router, filters],
  );
  const statuses = ticketStatuses.filter((status) =>
    isChosen(filters.status, (group) => ticketGroupStatuses[group as TicketGroup].includes(status)),
  );
  const isMixed = statuses.length > 1;
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? -1) + 1;
  // The visible rows decide which pages are loaded and released.
  useEffect(() => pages.show(from, to), [pages, from, to]);

  const follow = useFollowedRow(openId, isCurrent, (ticket) => {
    willOpen(ticket);
    void navigate({
      to: '/tickets/$ticket',
      params: { ticket },
      search: filters,
      replace: openId !== undefined,
    });
  });
  usePreloadedNeighbours(pages, openId);
  /** @param isOpened whether the ticket is opened also where it covers the list */
  const goTo = (position: number, isOpened = false) => {
    ahead.stop();
    const next = pages.idAt(Math.max(0, Math.min(position, pages.count - 1)));
    if (next === undefined) return;
    box.current?.focus({ preventScroll: true });
    pages.forgetPlace(next);
    setActiveId(next);
    virtualizer.scrollToIndex(pages.positionOf(next), { align: 'auto' });
    // A ticket that covers the list follows too: its shortcuts act on the row that was chosen last.
    if (isSideBySide() || openId !== undefined || isOpened) follow.soon(next);
    if (position >= pages.count && !pages.isComplete) ahead.load(position);
  };
  /** Goes to a row that is not loaded yet. */
  const ahead = useRowsAhead(pages, goTo);
  const activePosition = activeId === null ? -1 : pages.positionOf(activeId);
  const inView = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  const screen = Math.max(1, inView.endIndex - inView.startIndex - 1);
  const step = (by: number, isOpened = false) => {
    // The row that an own change took away is the one between its neighbours.
    const left = pages.placeLeftBy(activeId);
    if (left !== undefined) goTo(by > 0 ? left + by - 1 : left + by, isOpened);
    else if (activePosition < 0) goTo(inView.startIndex, isOpened);
    else goTo(((by > 0 ? ahead.position() : undefined) ?? activePosition) + by, isOpened);
  };
  usePreloaded(
    openId === undefined && activePosition < 0 && isSideBySide() ? pages.idAt(inView.startIndex) : undefined,
  );
  const open = (ticket: string) => {
    pages.forgetPlace(ticket);
    setActiveId(ticket);
    willOpen(ticket);
    follow.now(ticket, () => navigate({ to: '/tickets/$ticket', params: { ticket }, search: filters }));
  };
  // On a narrow screen the ticket opens, too: the keys that follow would act on no ticket otherwise.
  useListShortcuts((by) => step(by, true), isCurrent);
  const rowSelection = useRowSelection(list, activePosition, {
    hasKeys: useIsListVisible(openId) && isCurrent,
    goTo,
  });
  const { selection } = rowSelection;
  const openAfter = (ended: string) => {
    const position = pages.positionOf(ended);
    const next = pages.placeLeftBy(ended) ?? (position < 0 ? undefined : position + 1);
    if (next === undefined) return;
    if (next < pages.count) goTo(next);
    else void navigate({ to: '/tickets', search: filters });
  };
  useTicketOpener(openAfter, open, isCurrent);
  useHighlights(box, filters.q);
  const openFirst = useEffectEvent(() => {
    const first = pages.idAt(0);
    if (first === undefined) return;
    open(first);
    if (filters.q !== undefined) jumpToMatch(first, filters.q);
  });
  useEffect(() => (isCurrent ? setFirstMatchOpener(() => openFirst()) : undefined), [isCurrent]);
  useFocusOnReturn(box, openId);

  const onKeyDown = (event: KeyboardEvent) => {
    const action = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => goTo(0),
      End: () => goTo(pages.isComplete ? pages.count - 1 : Number.MAX_SAFE_INTEGER),
      PageDown: () => step(screen),
      PageUp: () => step(-screen),
      Enter: () => {
        if (activeId === null || activePosition < 0) return;
        open(activeId);
        if (filters.q !== undefined) jumpToMatch(activeId, filters.q);
        else document.getElementById(TICKET_PANE_ID)?.focus({ preventScroll: true });
      },
    }[event.key];
    if (!action || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const extension = event.shiftKey && { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (extension) rowSelection.extendBy(extension);
    else action();
  };
  const onClick = (event: MouseEvent) => {
    const ticket = ticketAt(event.target);
    const isToggle = event.target instanceof Element && event.target.closest('[data-select]') !== null;
    if (ticket && rowSelection.click(ticket, { isRange: event.shiftKey, isToggle })) {
      event.preventDefault();
      return;
    }
    // With a modifier key the browser opens the link in a new tab or window.
    if (!ticket || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    box.current?.focus({ preventScroll: true });
    open(ticket);
  };
  const preload = useDebounced(preloadTicket).soon;

  const size = pages.isComplete ? pages.count : -1;
  const isActiveShown =
    activePosition >= from && activePosition < to && pages.rowAt(activePosition) !== undefined;
  return (
    <div
      ref={box}
      id={LIST_ID}
      role="listbox"
      aria-label="Tickets"
      tabIndex={0}
      aria-activedescendant={isActiveShown ? rowElementId(activeId!) : undefined}
      aria-busy={pages.isReloading}
      aria-multiselectable={selection ? true : undefined}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onPointerOver={(event) => preload(ticketAt(event.target))}
      onScroll={(event) => {
        list.offset = event.currentTarget.scrollTop;
      }}
      className="group/list min-h-0 flex-1 overflow-y-auto overscroll-contain outline-none [overflow-anchor:none]"
    >
      <div role="presentation" className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const ticket = pages.rowAt(index);
          if (!ticket) return <LoadingRow key={pages.idAt(index)} top={start} />;
          return (
            <TicketRow
              key={ticket.id}
              ticket={ticket}
              href={`/tickets/${ticket.id}${query}`}
              position={index + 1}
              size={size}
              isActive={ticket.id === activeId}
              isOpen={ticket.id === openId}
              selected={
                selection ? isSelected(selection, ticket.id) : rowSelection.isAllowed ? null : undefined
              }
              isMixed={isMixed}
              hasDraft={withDraft.has(ticket.id)}
              top={start}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Returns the ticket id of the row that contains an event target. */
function ticketAt(target: EventTarget): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>('[data-ticket]')?.dataset['ticket']
    : undefined;
}

/**
 * The row that keyboard actions apply to: the ticket opened last, or the row reached by keyboard since then. The third value
 * announces a ticket that this list opens: by then the keyboard may have moved on.
 */
function useActiveRow(list: TicketList, openId: string | undefined) {
  const [activeId, setActiveId] = useState(openId ?? list.activeId);
  const [knownOpenId, setKnownOpenId] = useState(openId);
  const [expectedId, setExpectedId] = useState<string>();
  if (openId !== knownOpenId) {
    setKnownOpenId(openId);
    if (openId !== undefined && openId !== expectedId) setActiveId(openId);
  }
  useEffect(() => {
    list.activeId = activeId;
  }, [list, activeId]);
  return [activeId, setActiveId, setExpectedId] as const;
}

/** Lets the open ticket open others of the list: the next one after it was resolved, itself after that was undone. */
function useTicketOpener(
  openAfter: (ended: string) => void,
  open: (ticket: string) => void,
  isOn: boolean,
): void {
  const openAfterNow = useEffectEvent(openAfter);
  const openNow = useEffectEvent(open);
  useEffect(() => {
    if (!isOn) return;
    return setTicketOpener({
      openAfter: (ended) => openAfterNow(ended),
      open: (ticket) => openNow(ticket),
    });
  }, [isOn]);
}

/** Registers `j` and `k`, which work wherever the focus is. */
function useListShortcuts(step: (by: number) => void, isOn: boolean): void {
  const stepNow = useEffectEvent(step);
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'j', label: 'Next ticket', group: 'Tickets', run: () => stepNow(1) },
      { keys: 'k', label: 'Previous ticket', group: 'Tickets', run: () => stepNow(-1) },
    ],
    [],
  );
  useShortcuts(shortcuts, isOn);
}

/** Focuses the list when the open ticket is closed. */
function useFocusOnReturn(box: RefObject<HTMLElement | null>, openId: string | undefined): void {
  const wasOpen = useRef(openId !== undefined);
  useEffect(() => {
    if (wasOpen.current && openId === undefined) box.current?.focus({ preventScroll: true });
    wasOpen.current = openId !== undefined;
  }, [box, openId]);
}
