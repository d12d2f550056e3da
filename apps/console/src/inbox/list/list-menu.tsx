import { ticketSorts } from '@firmdesk/contract';
import { ArrowDownWideNarrow } from 'lucide-react';
import { Suspense, useState } from 'react';
import { usePermission } from '../../session/account.ts';
import { ViewDialog } from '../../tickets/ticket-tools.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { sortLabels } from '../filters/filter-labels.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { deleteView, moveView, updateView, useSavedViews } from '../views/saved-views.ts';
import { useView } from '../views/use-view.ts';
import { beginSelection } from './selection.ts';
import { ticketListFor } from './ticket-lists.ts';

/** The menu for the sort order and saved views. */
export function ListMenu() {
  const inbox = useInboxSearch();
  const isManager = usePermission('manage_tickets');
  const [isNaming, setNaming] = useState(false);
  const sort = inbox.search.sort ?? 'queue';
  const { saved } = useView();
  const views = useSavedViews();
  const move = (by: number) => {
    if (saved) void moveView(saved.id, views.indexOf(saved) + by);
  };
  return (
    <>
      <Menu
        label="Sort and view"
        align="end"
        trigger={
          <Button variant="quiet" className="px-2 text-xs">
            <ArrowDownWideNarrow size={15} aria-hidden="true" />
            <span className="sr-only">Sort: </span>
            {sortLabels[sort]}
          </Button>
        }
      >
        <MenuLabel>Sort by</MenuLabel>
        {ticketSorts.map((each) => (
          <MenuChoice
            key={each}
            isChosen={each === sort}
            onSelect={() => inbox.choose(inbox.with('sort', each === 'queue' ? undefined : each))}
          >
            {sortLabels[each]}
          </MenuChoice>
        ))}
        <MenuSeparator />
        {isManager && (
          <MenuItem onSelect={() => beginSelection(ticketListFor(inbox.search).key)}>Select tickets</MenuItem>
        )}
        {saved && (
          <>
            <MenuItem onSelect={() => setNaming(true)}>Rename or share view…</MenuItem>
            <MenuItem onSelect={() => move(-1)}>Move view up</MenuItem>
            <MenuItem onSelect={() => move(1)}>Move view down</MenuItem>
            <MenuItem isDanger onSelect={() => void deleteView(saved)}>
              Delete view
            </MenuItem>
          </>
        )}
      </Menu>
      {isNaming && saved && (
        <Suspense>
          <ViewDialog
            title="Rename or share view"
            view={saved}
            onSave={(given) => updateView(saved.id, given)}
            onClose={() => setNaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}
