import { Link } from '@tanstack/react-router';
import { ChevronDown } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Menu, MenuChoice, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { LOCALE } from '../ui/time.ts';
import { resetList } from './ticket-lists.ts';
import { useInboxSearch } from './use-inbox-search.ts';
import { useSavedViews, useTicketCounts } from './use-view.ts';
import { builtInViews, formatTicketCount, isSameSearch, type View } from './views.ts';

const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const whole = new Intl.NumberFormat(LOCALE);

/** The views in the side bar, with the number of tickets where it is known. */
export function ViewsList() {
  const { search } = useInboxSearch();
  const counts = useTicketCounts();
  const saved = useSavedViews();
  return (
    <nav aria-label="Views" className="border-t border-line p-2">
      <ul className="space-y-0.5">
        {builtInViews.map((view) => (
          <li key={view.name}>
            <ViewLink
              view={view}
              isChosen={isSameSearch(view.search, search)}
              {...(counts && view.count && { count: view.count(counts) })}
            />
          </li>
        ))}
      </ul>
      {saved.length > 0 && (
        <>
          <h2 className="mt-3 mb-1 px-2.5 text-xs font-medium text-muted">Saved views</h2>
          <ul className="space-y-0.5">
            {saved.map((view) => (
              <li key={view.name}>
                <ViewLink view={view} isChosen={isSameSearch(view.search, search)} />
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}

function ViewLink({ view, isChosen, count }: { view: View; isChosen: boolean; count?: number }) {
  return (
    <Link
      to="/tickets"
      search={view.search}
      activeOptions={{ exact: true }}
      aria-current={isChosen ? 'page' : undefined}
      onClick={() => resetList(view.search)}
      className={classNames(
        'flex min-h-7 items-center gap-2 rounded-md px-2.5 py-0.5 hover:bg-hover',
        isChosen ? 'bg-selected font-medium' : 'text-muted hover:text-text',
      )}
    >
      <span className="min-w-0 flex-1 truncate">{view.name}</span>
      {count !== undefined && (
        <span className="text-xs font-normal text-muted tabular-nums" title={formatTicketCount(count, whole)}>
          {formatTicketCount(count, compact)}
        </span>
      )}
    </Link>
  );
}

/** The views as a menu, for screens without a side bar. */
export function ViewsMenu() {
  const inbox = useInboxSearch();
  const counts = useTicketCounts();
  const saved = useSavedViews();
  const choice = (view: View, count?: number) => (
    <MenuChoice
      key={view.name}
      isChosen={isSameSearch(view.search, inbox.search)}
      onSelect={() => inbox.choose(view.search)}
    >
      <span className="flex-1">{view.name}</span>
      {count !== undefined && <span className="text-xs text-muted">{formatTicketCount(count, compact)}</span>}
    </MenuChoice>
  );
  return (
    <Menu
      label="Views"
      trigger={
        <IconButton label="Views">
          <ChevronDown size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      {builtInViews.map((view) => choice(view, counts && view.count?.(counts)))}
      {saved.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>Saved views</MenuLabel>
          {saved.map((view) => choice(view))}
        </>
      )}
    </Menu>
  );
}
