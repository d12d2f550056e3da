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
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { preloadTicket } from './preload-ticket.ts';
import type { TicketList } from './ticket-lists.ts';
import { LoadingRow, ROW_HEIGHT, rowElementId, TicketRow } from './ticket-row.tsx';

/** The DOM ids of the list and of the pane with the open ticket. */
export const LIST_ID = 'ticket-list';
export const TICKET_PANE_ID = 'ticket';

export function focusList(): void {
  document.getElementById(LIST_ID)?.focus({ preventScroll: true });
}

/** Whether the open ticket is beside the list and follows the active row. */
const isSideBySide = matchMedia('(min-width: 64rem)');
/** The delay before a ticket is opened or prefetched, so that a held key or moving pointer skips the rows it passes. */
const OPEN_DELAY_MS = 120;

/** The virtualized rows of a list. */
export function TicketRows({ list, openId }: { list: TicketList; openId: string | undefined }) {
  const { pages, filters } = list;
  const box = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const [activeId, setActiveId] = useActiveRow(list, openId);
  const virtualizer = useVirtualizer({
    count: pages.count,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
    initialOffset: () => list.offset,
  });
  const router = useRouter();
  const query = useMemo(
    () => router.buildLocation({ to: '/tickets', search: filters }).searchStr,
    [router, filters],
  );
  const items = virtualizer.getVirtualItems();
  const from = items[0]?.index ?? 0;
  const to = (items.at(-1)?.index ?? -1) + 1;
  // The visible rows decide which pages are loaded and released.
  useEffect(() => pages.show(from, to), [pages, from, to]);

  const follow = useDebounced((ticket: string) =>
    navigate({ to: '/tickets/$ticket', params: { ticket }, search: filters, replace: openId !== undefined }),
  );
  const goTo = (position: number) => {
    const next = pages.idAt(Math.max(0, Math.min(position, pages.count - 1)));
    if (next === undefined) return;
    box.current?.focus({ preventScroll: true });
    setActiveId(next);
    virtualizer.scrollToIndex(pages.positionOf(next), { align: 'auto' });
    for (const near of [-1, 1]) preloadTicket(pages.idAt(pages.positionOf(next) + near));
    if (isSideBySide.matches) follow(next);
  };
  const activePosition = activeId === null ? -1 : pages.positionOf(activeId);
  const inView = virtualizer.range ?? { startIndex: 0, endIndex: 0 };
  const screen = Math.max(1, inView.endIndex - inView.startIndex - 1);
  const step = (by: number) => goTo(activePosition < 0 ? inView.startIndex : activePosition + by);
  const open = (ticket: string) =>
    void navigate({ to: '/tickets/$ticket', params: { ticket }, search: filters });
  useListShortcuts(step);
  useFocusOnReturn(box, openId);

  const onKeyDown = (event: KeyboardEvent) => {
    const action = {
      ArrowDown: () => step(1),
      ArrowUp: () => step(-1),
      Home: () => goTo(0),
      End: () => goTo(pages.count - 1),
      PageDown: () => step(screen),
      PageUp: () => step(-screen),
      Enter: () => {
        if (activeId === null || activePosition < 0) return;
        open(activeId);
        document.getElementById(TICKET_PANE_ID)?.focus({ preventScroll: true });
      },
    }[event.key];
    if (!action || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  const onClick = (event: MouseEvent) => {
    const ticket = ticketAt(event.target);
    // With a modifier key the browser opens the link in a new tab or window.
    if (!ticket || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    box.current?.focus({ preventScroll: true });
    open(ticket);
  };
  const preload = useDebounced(preloadTicket);

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

/** The row that keyboard actions apply to: the ticket opened last, or the row reached by keyboard since then. */
function useActiveRow(list: TicketList, openId: string | undefined) {
  const [activeId, setActiveId] = useState(openId ?? list.activeId);
  const [knownOpenId, setKnownOpenId] = useState(openId);
  if (openId !== knownOpenId) {
    setKnownOpenId(openId);
    if (openId !== undefined) setActiveId(openId);
  }
  useEffect(() => {
    list.activeId = activeId;
  }, [list, activeId]);
  return [activeId, setActiveId] as const;
}

/** Registers `j` and `k`, which work wherever the focus is. */
function useListShortcuts(step: (by: number) => void): void {
  const stepNow = useEffectEvent(step);
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      { keys: 'j', label: 'Next ticket', group: 'Tickets', run: () => stepNow(1) },
      { keys: 'k', label: 'Previous ticket', group: 'Tickets', run: () => stepNow(-1) },
    ],
    [],
  );
  useShortcuts(shortcuts);
}

/** Debounces a function. A pending call is dropped on unmount. */
function useDebounced<Value>(run: (value: Value) => unknown): (value: Value) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (value) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => run(value), OPEN_DELAY_MS);
  };
}

/** Focuses the list when the open ticket is closed. */
function useFocusOnReturn(box: RefObject<HTMLElement | null>, openId: string | undefined): void {
  const wasOpen = useRef(openId !== undefined);
  useEffect(() => {
    if (wasOpen.current && openId === undefined) box.current?.focus({ preventScroll: true });
    wasOpen.current = openId !== undefined;
  }, [box, openId]);
}
