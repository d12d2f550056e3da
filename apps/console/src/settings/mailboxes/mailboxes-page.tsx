import type { FirmMailbox } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { MenuItem } from '../../ui/overlays/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { MailboxDialog } from './mailbox-dialog.tsx';

/** The mailboxes of the firm, with who reads each. */
export function SharedMailboxesPage() {
  const mailboxes = useQuery(trpc.firm.mailboxes.list.queryOptions());
  const [open, setOpen] = useState<{ mailbox: FirmMailbox | null } | null>(null);
  useLiveFirm('mailboxes');
  return (
    <Page
      title="Shared mailboxes"
      actions={
        <Button variant="solid" onClick={() => setOpen({ mailbox: null })}>
          <Plus size={15} aria-hidden="true" />
          New mailbox
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">
          Members read a mailbox together. Who writes from it also sets its signature, under Mailboxes.
        </p>
        {mailboxes.isPending ? (
          <LoadingRows label="Loading mailboxes" rows={3} />
        ) : mailboxes.isError ? (
          <ErrorState error={mailboxes.error} onRetry={() => void mailboxes.refetch()} />
        ) : (
          <SettingsTable
            caption="Mailboxes, by address"
            rows={mailboxes.data.data}
            idOf={({ id }) => id}
            nameOf={({ email }) => email}
            textOf={({ name, email, aliases, members }) =>
              [name, email, ...aliases, ...members.map((member) => member.name)].join(' ')
            }
            columns={[
              {
                label: 'Mailbox',
                sortBy: ({ email }) => email,
                cell: ({ name, email, aliases, opens_tickets }) => (
                  <>
                    <span className="flex items-center gap-2">
                      <span className="truncate font-medium">{name}</span>
                      {opens_tickets && <Badge>Opens tickets</Badge>}
                    </span>
                    <span className="block text-xs break-words text-muted">
                      {[email, ...aliases].join(', ')}
                    </span>
                  </>
                ),
              },
              {
                label: 'Members',
                className: 'w-2/5',
                sortBy: ({ members }) => members.length,
                cell: ({ members }) => (
                  <span className="text-muted">{members.map(({ name }) => name).join(', ') || 'Nobody'}</span>
                ),
              },
            ]}
            actions={(mailbox) => <MenuItem onSelect={() => setOpen({ mailbox })}>Change…</MenuItem>}
            empty={
              <EmptyState title="No mailboxes yet">Create one, such as support@ your domain.</EmptyState>
            }
          />
        )}
      </div>
      {open && <MailboxDialog mailbox={open.mailbox} onClose={() => setOpen(null)} />}
    </Page>
  );
}
