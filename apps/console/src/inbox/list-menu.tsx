import { ticketSorts } from '@firmdesk/contract';
import { ArrowDownWideNarrow } from 'lucide-react';
import { useState } from 'react';
import { useAccount } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu.tsx';
import { sortLabels } from './filter-labels.ts';
import { useInboxSearch } from './use-inbox-search.ts';
import { useView } from './use-view.ts';
import { ViewDialog } from './view-dialog.tsx';
import { deleteView, renameView, saveView } from './views.ts';

/** The menu for the sort order and saved views. */
export function ListMenu() {
  const inbox = useInboxSearch();
  const view = useView();
  const { slug } = useAccount().workspace;
  const [naming, setNaming] = useState<'save' | 'rename' | null>(null);
  const sort = inbox.search.sort ?? 'queue';

  const saveName = (given: string) => {
    if (naming === 'rename') renameView(slug, view.name, given);
    else saveView(slug, { name: given, search: inbox.search });
    setNaming(null);
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
        {view.isSaved ? (
          <>
            <MenuItem onSelect={() => setNaming('rename')}>Rename view…</MenuItem>
            <MenuItem isDanger onSelect={() => deleteView(slug, view.name)}>
              Delete view
            </MenuItem>
          </>
        ) : (
          <MenuItem isDisabled={view.isNamed} onSelect={() => setNaming('save')}>
            {view.isNamed ? 'Add filters to save a view' : 'Save view…'}
          </MenuItem>
        )}
      </Menu>
      {naming && (
        <ViewDialog
          title={naming === 'rename' ? 'Rename view' : 'Save view'}
          name={naming === 'rename' ? view.name : ''}
          onName={saveName}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  );
}
