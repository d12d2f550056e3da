import { SquarePen } from 'lucide-react';
import { Suspense, useMemo, useState } from 'react';
import { awaitDialog, type Shortcut, useShortcuts } from '../../keyboard/shortcuts.ts';
import { usePermission } from '../../session/account.ts';
import { IconButton } from '../../ui/button.tsx';
import { NewTicketDialog } from '../ticket-tools.ts';

/** The button and the shortcut that open a ticket for a trader. */
export function NewTicketButton() {
  const mayManage = usePermission('manage_tickets');
  const [isOpen, setOpen] = useState(false);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: 'c', label: 'New ticket…', group: 'Tickets', movesFocus: true, run: () => setOpen(true) }],
    [],
  );
  useShortcuts(shortcuts, mayManage);
  if (!mayManage) return null;
  return (
    <>
      <IconButton
        icon={SquarePen}
        label="New ticket"
        keys="c"
        onClick={() => {
          awaitDialog();
          setOpen(true);
        }}
      />
      {isOpen && (
        <Suspense>
          <NewTicketDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
