import { SlidersHorizontal } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { awaitDialog, type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { NewTicketButton } from '../../tickets/create/new-ticket-button.tsx';
import { IconButton } from '../../ui/button.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterMenu } from '../filters/filter-tools.ts';
import { openFirstMatch } from '../search/match-jump.ts';
import { SearchField } from '../search/search-field.tsx';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { useBaseView, useView } from '../views/use-view.ts';
import { ViewsMenu } from '../views/views-list.tsx';
import { ListMenu } from './list-menu.tsx';

/** The name of the view, the search field and the filters. */
export function ListHeader() {
  const inbox = useInboxSearch();
  const view = useView();
  const [isFiltering, setFiltering] = useState(false);
  const base = useBaseView();
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      {
        keys: 'F',
        label: 'Filter tickets',
        group: 'Tickets',
        movesFocus: true,
        run: () => setFiltering(true),
      },
    ],
    [],
  );
  useShortcuts(shortcuts);
  return (
    <header className="flex shrink-0 flex-col gap-2 border-b border-line px-3 pt-2 pb-2.5">
      <div className="flex h-8 items-center gap-1">
        <h1 className="min-w-0 truncate px-0.5 text-base font-semibold">{base?.name ?? view.name}</h1>
        {base && !view.isNamed && <span className="text-xs text-muted">Edited</span>}
        <span className="md:hidden">
          <ViewsMenu />
        </span>
        <span className="flex-1" />
        <NewTicketButton />
        <ListMenu />
      </div>
      <div className="flex items-start gap-1.5">
        <SearchField
          q={inbox.search.q ?? ''}
          onSearch={(q, filters) => {
            // Typing further replaces the history entry: Back leaves the search in one step.
            inbox.choose(
              { ...inbox.with('q', q || undefined), ...filters },
              { replace: inbox.search.q !== undefined },
            );
          }}
          onFirstMatch={openFirstMatch}
        />
        <IconButton
          icon={SlidersHorizontal}
          label="Filters"
          keys="F"
          aria-haspopup="dialog"
          onClick={() => {
            awaitDialog();
            setFiltering(true);
          }}
        />
      </div>
      {isFiltering && (
        <Suspense>
          <FilterMenu field={null} onClose={() => setFiltering(false)} />
        </Suspense>
      )}
      {(view.saved || !view.isNamed) && <FilterChips base={base?.id ?? null} />}
    </header>
  );
}
