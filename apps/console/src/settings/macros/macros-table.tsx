import type { Macro } from '@firmdesk/contract';
import { useState } from 'react';
import { describeActions } from '../../macros/describe-actions.ts';
import { useSupportDirectory } from '../../tickets/properties/use-support-directory.ts';
import { languageName } from '../../ui/display-names.ts';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { OrderedItems } from '../../ui/overlays/row-menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { LOCALE } from '../../ui/time/time.ts';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useDeleteMacro, useMoveMacro } from './use-macro-changes.ts';

const count = new Intl.NumberFormat(LOCALE);

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
  const { mutate: move } = useMoveMacro();
  const [toDelete, setToDelete] = useState<Macro | null>(null);
  return (
    <>
      <SettingsTable
        caption="Macros, in the order in which they are offered"
        rows={macros}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        textOf={({ name, texts }) => [name, ...texts.map(({ text }) => text)].join(' ')}
        columns={[
          {
            label: 'Macro',
            sortBy: ({ name }) => name,
            cell: (macro) => (
              <>
                <span className="block truncate font-medium">{macro.name}</span>
                <span dir="auto" className="block truncate text-muted">
                  {macro.texts[0]?.text}
                </span>
                <Changes macro={macro} />
              </>
            ),
          },
          {
            label: 'Team',
            className: 'w-32 truncate text-muted max-sm:hidden',
            sortBy: ({ team }) => team?.name ?? null,
            cell: ({ team }) => team?.name ?? 'All teams',
          },
          {
            label: 'Languages',
            className: 'w-32 text-muted max-lg:hidden',
            cell: ({ texts }) => texts.map(({ language }) => languageName(language)).join(', '),
          },
          {
            label: 'Sent replies',
            className: 'w-36 max-sm:w-20 text-muted tabular-nums',
            sortBy: ({ used }) => used,
            cell: ({ used, last_used_at }) => (
              <>
                {count.format(used)}
                {last_used_at && (
                  <span className="block text-xs max-sm:hidden">
                    Last <Timestamp at={last_used_at} />
                  </span>
                )}
              </>
            ),
          },
        ]}
        actions={(macro) =>
          canManage && (
            <OrderedItems
              rows={macros}
              row={macro}
              onEdit={() => onEdit(macro)}
              onMove={move}
              onDelete={() => setToDelete(macro)}
            />
          )
        }
        empty={
          <EmptyState title="No macros yet">
            A macro is a prepared reply. In a ticket, press ; to insert one.
          </EmptyState>
        }
      />
      {toDelete && (
        <ConfirmDialog
          title="Delete this macro?"
          confirmLabel="Delete"
          onClose={() => setToDelete(null)}
          onConfirm={() => remove.mutate({ id: toDelete.id })}
        >
          “{toDelete.name}” is deleted for everyone. Replies that were written with it stay. This can’t be
          undone.
        </ConfirmDialog>
      )}
    </>
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
