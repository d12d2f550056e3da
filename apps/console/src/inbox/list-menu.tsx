import { ticketSorts } from '@firmdesk/contract';
import { ArrowDownWideNarrow } from 'lucide-react';
import { useState } from 'react';
import { useAccount } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { sortLabels } from './filter-labels.ts';
import { useInboxSearch } from './use-inbox-search.ts';
import { useView } from './use-view.ts';
import { ViewDialog } from './view-dialog.tsx';
import { deleteView, renameView, saveView } from './views.ts';

/** The order of the list, and the view that its filters are saved as. */
export function ListMenu() {
  const inbox = useInboxSearch();
  const view = useView();
  const { slug } = useAccount().workspace;
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null);
  const sort = inbox.search.sort ?? 'queue';

  const name = (given: string) => {
    if (naming === 'rename') renameView(slug, view.name, given);
    else saveView(slug, { name: given, search: inbox.search });
    setNaming(null);
  };
  return (
    <>
      <Menu
        label="Order and view"
        align="end"
        trigger={
          <Button look="quiet" className="px-2 text-xs">
            <ArrowDownWideNarrow size={15} aria-hidden="true" />
            <span className="sr-only">Order: </span>
            {sortLabels[sort]}
          </Button>
        }
      >
        <MenuLabel>Order</MenuLabel>
        {ticketSorts.map((each) => (
          <MenuChoice
            key={each}
            isChosen={each === sort}
            onSelect={() => inbox.choose(inbox.with('sort', each === 'queue' ? undefined : each))}
          >
            {sortLabels[each]}
          </MenuChoice>
        ))}
        <MenuLine />
        {view.isSaved ? (
          <>
            <MenuItem onSelect={() => setNaming('rename')}>Rename this view…</MenuItem>
            <MenuItem isDanger onSelect={() => deleteView(slug, view.name)}>
              Delete this view
            </MenuItem>
          </>
        ) : (
          <MenuItem isDisabled={view.isNamed} onSelect={() => setNaming('save')}>
            {view.isNamed ? 'Filter to save a view' : 'Save as a view…'}
          </MenuItem>
        )}
      </Menu>
      {naming && (
        <ViewDialog
          title={naming === 'rename' ? 'Rename the view' : 'Save as a view'}
          name={naming === 'rename' ? view.name : ''}
          onName={name}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}
