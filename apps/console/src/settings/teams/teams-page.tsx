import type { FirmTeam } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { DeleteTeamDialog } from './delete-team-dialog.tsx';
import { TeamDialog } from './team-dialog.tsx';

type Open = { kind: 'edit'; team: FirmTeam | null } | { kind: 'delete'; team: FirmTeam };

/** The teams to which tickets can be assigned. */
export function TeamsPage() {
  const teams = useQuery(trpc.firm.teams.list.queryOptions());
  const [open, setOpen] = useState<Open | null>(null);
  useLiveFirm('teams');
  const close = () => setOpen(null);
  return (
    <Page
      title="Teams"
      actions={
        <Button variant="solid" onClick={() => setOpen({ kind: 'edit', team: null })}>
          <Plus size={15} aria-hidden="true" />
          New team
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <p className="text-muted">A ticket can be assigned to a team. Each member sees it among their own.</p>
        {teams.isPending ? (
          <LoadingRows label="Loading teams" rows={3} />
        ) : teams.isError ? (
          <ErrorState error={teams.error} onRetry={() => void teams.refetch()} />
        ) : (
          <SettingsTable
            caption="Teams, by name"
            rows={teams.data.data}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            textOf={({ name, members }) => [name, ...members.map((each) => each.name)].join(' ')}
            columns={[
              {
                label: 'Team',
                sortBy: ({ name }) => name,
                cell: ({ name }) => <span className="block truncate font-medium">{name}</span>,
              },
              {
                label: 'Members',
                className: 'w-2/5 max-sm:w-1/3',
                sortBy: ({ members }) => members.length,
                cell: ({ members }) => (
                  <span className="text-muted">{members.map(({ name }) => name).join(', ') || 'Nobody'}</span>
                ),
              },
              {
                label: 'Open tickets',
                className: 'w-32 text-muted tabular-nums max-md:hidden',
                sortBy: ({ open_tickets }) => open_tickets,
                cell: ({ open_tickets }) => open_tickets,
              },
            ]}
            actions={(team) => (
              <>
                <MenuItem onSelect={() => setOpen({ kind: 'edit', team })}>Change…</MenuItem>
                <MenuSeparator />
                <MenuItem isDanger onSelect={() => setOpen({ kind: 'delete', team })}>
                  Delete…
                </MenuItem>
              </>
            )}
            empty={<EmptyState title="No teams yet">Create one, such as Payouts or Compliance.</EmptyState>}
          />
        )}
      </div>
      {open?.kind === 'edit' && <TeamDialog team={open.team} onClose={close} />}
      {open?.kind === 'delete' && (
        <DeleteTeamDialog
          team={open.team}
          others={(teams.data?.data ?? []).filter(({ id }) => id !== open.team.id)}
          onClose={close}
        />
      )}
    </Page>
  );
}
