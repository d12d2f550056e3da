import type { Macro } from '@firmdesk/contract';
import { MoreHorizontal } from 'lucide-react';
import { useState } from 'react';
import { describeActions } from '../macros/describe-actions.ts';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { languageName } from '../ui/display-names.ts';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { LOCALE } from '../ui/time/time.ts';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { useDeleteMacro, useMoveMacro } from './use-macro-changes.ts';

const count = new Intl.NumberFormat(LOCALE);
const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const cell = 'px-3 py-2 align-top';

export function MacrosTable({
  macros,
  canManage,
  onEdit,
}: {
  macros: readonly Macro[];
  canManage: boolean;
  onEdit(macro: Macro): void;
}) {
  const remove = useDeleteMacro();
  // Kept while the dialog closes, so that its text does not change.
  const [toDelete, setToDelete] = useState<Macro | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Macros, in the order in which they are offered</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={head}>
              Macro
            </th>
            <th scope="col" className={`${head} w-32 max-sm:hidden`}>
              Team
            </th>
            <th scope="col" className={`${head} w-32 max-lg:hidden`}>
              Languages
            </th>
            <th scope="col" className={`${head} w-36 max-sm:w-20`}>
              Sent replies
            </th>
            {canManage && (
              <th scope="col" className={`${head} w-14`}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {macros.map((macro, index) => (
            <tr key={macro.id}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                <span className="block truncate font-medium">{macro.name}</span>
                <span dir="auto" className="block truncate text-muted">
                  {macro.texts[0]?.text}
                </span>
                <Changes macro={macro} />
              </th>
              <td className={`${cell} truncate text-muted max-sm:hidden`}>
                {macro.team?.name ?? 'All teams'}
              </td>
              <td className={`${cell} text-muted max-lg:hidden`}>
                {macro.texts.map(({ language }) => languageName(language)).join(', ')}
              </td>
              <td className={`${cell} text-muted tabular-nums`}>
                {count.format(macro.used)}
                {macro.last_used_at && (
                  <span className="block text-xs max-sm:hidden">
                    Last <Timestamp at={macro.last_used_at} />
                  </span>
                )}
              </td>
              {canManage && (
                <td className={`${cell} text-right`}>
                  <RowMenu
                    macro={macro}
                    above={macros[index - 1]}
                    hasBelow={index < macros.length - 1}
                    afterBelow={macros[index + 2]}
                    onEdit={() => onEdit(macro)}
                    onDelete={() => {
                      setToDelete(macro);
                      setConfirming(true);
                    }}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        title="Delete this macro?"
        confirmLabel="Delete"
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => toDelete && remove.mutate({ id: toDelete.id })}
      >
        “{toDelete?.name}” is deleted for everyone. Replies that were written with it stay. This can’t be
        undone.
      </ConfirmDialog>
    </div>
  );
}

function Changes({ macro: { actions } }: { macro: Macro }) {
  const directory = useSupportDirectory();
  const isAuthor = actions.assignee === 'me';
  const shown = describeActions({ ...actions, assignee: isAuthor ? null : actions.assignee }, directory).map(
    ({ label }) => label,
  );
  if (isAuthor) shown.push('Assign to the sender');
  return shown.length === 0 ? null : <span className="block text-xs text-muted">{shown.join(' · ')}</span>;
}

function RowMenu({
  macro,
  above,
  hasBelow,
  afterBelow,
  onEdit,
  onDelete,
}: {
  macro: Macro;
  above: Macro | undefined;
  hasBelow: boolean;
  /** The macro below the next one. */
  afterBelow: Macro | undefined;
  onEdit(): void;
  onDelete(): void;
}) {
  const { mutate: move } = useMoveMacro();
  return (
    <Menu
      label={`Actions of ${macro.name}`}
      align="end"
      trigger={
        <IconButton
          data-list-control="macro"
          label={`Actions of ${macro.name}`}
          className="pointer-coarse:size-11"
        >
          <MoreHorizontal size={16} aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem onSelect={onEdit}>Edit</MenuItem>
      <MenuItem isDisabled={!above} onSelect={() => above && move({ id: macro.id, before: above.id })}>
        Move up
      </MenuItem>
      <MenuItem
        isDisabled={!hasBelow}
        onSelect={() => move({ id: macro.id, before: afterBelow?.id ?? null })}
      >
        Move down
      </MenuItem>
      <MenuSeparator />
      <MenuItem isDanger onSelect={onDelete}>
        Delete
      </MenuItem>
    </Menu>
  );
}
