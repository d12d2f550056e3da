import type { BulkChangeAction } from '@firmdesk/contract';
import { X } from 'lucide-react';
import { useEffectEvent, useMemo, useState } from 'react';
import { type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { useAccount } from '../../session/account.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { clearSelection, describeSelection, type Selection, selectAll } from '../list/selection.ts';
import type { TicketList } from '../list/ticket-lists.ts';
import { askAction, describeAction, startBulkChange } from './bulk-change.ts';
import { BulkMenus, type BulkProperty } from './bulk-menus.tsx';

/**
 * What can be done with the selected tickets.
 *
 * @param props.hasKeys whether its shortcuts take precedence over those of the open ticket: not while that covers the selection
 */
export function BulkBar({
  list,
  selection,
  hasKeys,
}: {
  list: TicketList;
  selection: Selection;
  hasKeys: boolean;
}) {
  const directory = useSupportDirectory();
  const { user } = useAccount();
  const [open, setOpen] = useState<BulkProperty | null>(null);
  const [isStarting, setStarting] = useState(false);
  /** The action on all matching tickets that waits for its confirmation. */
  const [asked, setAsked] = useState<BulkChangeAction | null>(null);
  const isEmpty = !selection.isAll && selection.ids.size === 0;

  const start = async (action: BulkChangeAction) => {
    setStarting(true);
    await startBulkChange(selection, list.filters, action, describeAction(action, directory));
    setStarting(false);
  };
  const apply = (action: BulkChangeAction) => {
    if (isStarting || isEmpty) return;
    if (selection.isAll) setAsked(action);
    else void start(action);
  };
  const applyNow = useEffectEvent(apply);
  // Until the directory is loaded, the key must not act on the open ticket instead.
  const isAssignable = directory?.agents.some(({ id, may_answer }) => may_answer && id === user.id) ?? true;
  const shortcuts = useMemo<Shortcut[]>(() => {
    const shortcut = (keys: string, label: string, run: () => void, movesFocus = false): Shortcut => ({
      keys,
      label,
      group: 'Selected tickets',
      overrides: true,
      // A ticket that is being opened would take the focus from a menu.
      actsOnRow: movesFocus,
      movesFocus,
      run,
    });
    const menu = (keys: string, label: string, property: BulkProperty) =>
      shortcut(keys, label, () => setOpen(property), true);
    return [
      ...(isAssignable
        ? [shortcut('i', 'Assign to me', () => applyNow({ set: 'assignee', assignee: user.id }))]
        : []),
      menu('a', 'Assign…', 'assignee'),
      menu('t', 'Team…', 'team'),
      menu('p', 'Priority…', 'priority'),
      menu('l', 'Tags…', 'tags'),
      menu('s', 'Status…', 'status'),
      shortcut('e', 'Resolve', () => applyNow({ set: 'status', status: 'resolved' })),
      shortcut('Escape', 'Clear the selection', clearSelection),
    ];
  }, [isAssignable, user.id]);
  useShortcuts(shortcuts, hasKeys);

  return (
    <section
      aria-label="Selected tickets"
      className="flex shrink-0 flex-col gap-1.5 border-b border-line bg-raised px-3 py-2"
    >
      <div className="flex items-center gap-1">
        <p className="min-w-0 flex-1 truncate font-medium">{describeSelection(selection)}</p>
        {!selection.isAll && (
          <Button variant="quiet" className="px-2 text-xs !text-accent" onClick={() => selectAll(list.key)}>
            Select all that match
          </Button>
        )}
        <IconButton icon={X} label="Clear the selection" keys="Escape" onClick={clearSelection} />
      </div>
      <BulkMenus isDisabled={isStarting || isEmpty} open={open} onOpen={setOpen} onAction={apply} />
      {asked && (
        <ConfirmDialog
          title={askAction(asked, directory, countOf(list, selection)).question}
          confirmLabel={askAction(asked, directory, countOf(list, selection)).verb}
          isDanger={false}
          onClose={() => setAsked(null)}
          onConfirm={() => {
            void start(asked);
            setAsked(null);
          }}
        >
          Also those that are not on the screen. You can undo it until a minute after it is done.
        </ConfirmDialog>
      )}
    </section>
  );
}

/** Returns how many tickets are selected, or null if the list is longer than what is loaded. */
function countOf({ pages }: TicketList, { isAll, ids }: Selection): number | null {
  if (!isAll) return ids.size;
  return pages.isComplete ? pages.count - ids.size : null;
}
