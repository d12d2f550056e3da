import { ticketSorts } from '@firmdesk/contract';
import { ArrowDownWideNarrow } from 'lucide-react';
import { useState } from 'react';
import { usePermission } from '../../session/account.ts';
import { Button } from '../../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx';
import { sortLabels } from '../filters/filter-labels.ts';
import { useInboxSearch } from '../search/use-inbox-search.ts';
import { createView, deleteView, moveView, updateView, useSavedViews } from '../views/saved-views.ts';
import { useView } from '../views/use-view.ts';
import { ViewDialog } from '../views/view-dialog.tsx';
import { beginSelection } from './selection.ts';
import { ticketListFor } from './ticket-lists.ts';

/** The menu for the sort order and saved views. */
export function ListMenu() {
  const inbox = useInboxSearch();
  const view = useView();
  const isManager = usePermission('manage_tickets');
  const [naming, setNaming] = useState<'save' | 'edit' | null>(null);
  const sort = inbox.search.sort ?? 'queue';
  const { saved } = view;
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
        {saved ? (
          <>
            <MenuItem onSelect={() => setNaming('edit')}>Rename or share view…</MenuItem>
            <MenuItem onSelect={() => move(-1)}>Move view up</MenuItem>
            <MenuItem onSelect={() => move(1)}>Move view down</MenuItem>
            <MenuItem isDanger onSelect={() => void deleteView(saved)}>
              Delete view
            </MenuItem>
          </>
        ) : (
          <MenuItem isDisabled={view.isNamed} onSelect={() => setNaming('save')}>
            {view.isNamed ? 'Add filters to save a view' : 'Save view…'}
          </MenuItem>
        )}
      </Menu>
      {naming === 'edit' && saved && (
        <ViewDialog
          title="Rename or share view"
          view={saved}
          onSave={(given) => updateView(saved.id, given)}
          onClose={() => setNaming(null)}
        />
      )}
      {naming === 'save' && (
        <ViewDialog
          title="Save view"
          view={{ name: '', team: null }}
          onSave={(given) => createView({ ...given, search: inbox.search })}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}
