import { MAX_TICKET_COUNT, MAX_VIEW_COUNT, type TicketView } from '@firmdesk/contract';
import { Link } from '@tanstack/react-router';
import { ChevronDown, Users } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import { useAccount } from '../../session/account.ts';
import { IconButton } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Menu, MenuChoice, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { LOCALE } from '../../ui/time/time.ts';
import { resetList } from '../list/ticket-lists.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { moveView, useSavedViews, useViewCounts } from './saved-views.ts';
import { useTicketCounts } from './use-view.ts';
import { builtInViewsOf, formatTicketCount, isSameSearch, type View } from './views.ts';

const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(LOCALE);

/** The views in the side bar, with the number of tickets where it is known. */
export function ViewsList() {
  const { id: userId } = useAccount().user;
  const { search } = useInboxSearch();
  const counts = useTicketCounts();
  const saved = useSavedViews();
  return (
    <nav aria-label="Views" className="border-t border-line p-2">
      <ul className="space-y-0.5">
        {builtInViewsOf(userId).map((view) => (
          <li key={view.name}>
            <ViewLink
              view={view}
              isChosen={isSameSearch(view.search, search)}
              count={counts && view.count?.(counts)}
            />
          </li>
        ))}
      </ul>
      {saved.length > 0 && (
        <>
          <h2 className="mt-3 mb-1 px-2.5 text-xs font-medium text-muted">Saved views</h2>
          <SavedViews views={saved} />
        </>
      )}
    </nav>
  );
}

/** The saved views, which are ordered by dragging, and by Alt with an arrow key. */
function SavedViews({ views }: { views: readonly TicketView[] }) {
  const { search } = useInboxSearch();
  const counts = useViewCounts();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<number | null>(null);
  const onKeyDown = (event: KeyboardEvent, { id }: TicketView, position: number) => {
    const step = event.altKey && { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    void moveView(id, position + step);
  };
  const drop = (event: DragEvent, position: number) => {
    event.preventDefault();
    if (dragged !== null) void moveView(dragged, position);
    setDragged(null);
    setOver(null);
  };
  return (
    <ul className="space-y-0.5">
      {views.map((view, position) => (
        <li
          key={view.id}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            setDragged(view.id);
          }}
          onDragEnd={() => {
            setDragged(null);
            setOver(null);
          }}
          onDragOver={(event) => {
            if (dragged === null) return;
            event.preventDefault();
            setOver(position);
          }}
          onDrop={(event) => drop(event, position)}
          onKeyDown={(event) => onKeyDown(event, view, position)}
          className={classNames(
            'rounded-md',
            over === position && dragged !== view.id && 'outline-2 outline-accent',
          )}
        >
          <ViewLink
            view={view}
            isChosen={isSameSearch(view.search, search)}
            count={counts[view.id] ?? undefined}
            max={MAX_VIEW_COUNT}
            isShared={view.team !== null}
          />
        </li>
      ))}
    </ul>
  );
}

function ViewLink({
  view,
  isChosen,
  count,
  max = MAX_TICKET_COUNT,
  isShared = false,
}: {
  view: View;
  isChosen: boolean;
  count?: number | undefined;
  max?: number;
  isShared?: boolean;
}) {
  return (
    <Link
      to="/tickets"
      search={view.search}
      activeOptions={{ exact: true }}
      aria-current={isChosen ? 'page' : undefined}
      // The list item is dragged, not the link.
      draggable={false}
      onClick={() => resetList(view.search)}
      className={classNames(
        'flex min-h-7 items-center gap-2 rounded-md px-2.5 py-0.5 hover:bg-hover',
        isChosen ? 'bg-selected font-medium' : 'text-muted hover:text-text',
      )}
    >
      <span className="min-w-0 flex-1 truncate">{view.name}</span>
      {isShared && (
        <span title="Shared with a team">
          <Users size={12} aria-hidden="true" />
          <span className="sr-only">Shared with a team</span>
        </span>
      )}
      {count !== undefined && (
        <span
          className="text-xs font-normal text-muted tabular-nums"
          title={formatTicketCount(count, whole, max)}
        >
          {formatTicketCount(count, compact, max)}
        </span>
      )}
    </Link>
  );
}

/** The views as a menu, for screens without a side bar. */
export function ViewsMenu() {
  const { id: userId } = useAccount().user;
  const inbox = useInboxSearch();
  const counts = useTicketCounts();
  const saved = useSavedViews();
  const savedCounts = useViewCounts();
  const choice = (key: string, view: View, count?: number | null, max?: number) => (
    <MenuChoice
      key={key}
      isChosen={isSameSearch(view.search, inbox.search)}
      onSelect={() => inbox.choose(view.search)}
    >
      <span className="flex-1">{view.name}</span>
      {count != null && <span className="text-xs text-muted">{formatTicketCount(count, compact, max)}</span>}
    </MenuChoice>
  );
  return (
    <Menu label="Views" trigger={<IconButton icon={ChevronDown} label="Views" />}>
      {builtInViewsOf(userId).map((view) => choice(view.name, view, counts && view.count?.(counts)))}
      {saved.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Saved views</MenuLabel>
          {saved.map((view) => choice(view.id, view, savedCounts[view.id], MAX_VIEW_COUNT))}
        </>
      )}
    </Menu>
  );
}
