import type { Member } from '@firmdesk/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { client, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { Button } from '../../ui/button.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { PersonDataDialog } from '../data/person-data-dialog.tsx';
import { PersonRequests } from '../data/person-requests.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitesTable } from './invites-table.tsx';
import { MembersTable } from './members-table.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';

/** The firm's team with its permissions, and the traders. */
export function MembersPage() {
  const members = useQuery(trpc.firm.members.list.queryOptions());
  const [edited, setEdited] = useState<Member | null>(null);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [person, setPerson] = useState<{ id: string; name: string; permissions?: unknown } | null>(null);
  const [isInviting, setInviting] = useState(false);
  useLiveFirm('members');
  return (
    <Page
      title="Members"
      actions={
        <Button variant="solid" onClick={() => setInviting(true)}>
          <UserPlus size={15} aria-hidden="true" />
          Invite
        </Button>
      }
    >
      <div className="mx-auto max-w-4xl space-y-6 p-4">
        {members.data ? (
          <MembersTable
            members={members.data.data}
            onEdit={setEdited}
            onDismiss={setLeaving}
            onShowData={setPerson}
          />
        ) : members.isError ? (
          <ErrorState error={members.error} onRetry={() => void members.refetch()} />
        ) : (
          <LoadingRows label="Loading members" rows={4} />
        )}
        <InvitesTable />
        <Traders onShowData={setPerson} />
        <PersonRequests />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
      {edited && <PermissionsDialog key={edited.id} member={edited} onClose={() => setEdited(null)} />}
      {person && <PersonDataDialog key={person.id} person={person} onClose={() => setPerson(null)} />}
      {leaving && <DismissDialog key={leaving.id} member={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  );
}

function Traders({ onShowData }: { onShowData(person: { id: string; name: string }): void }) {
  const traders = useInfiniteQuery(
    pagedQuery(trpc.firm.members.traders.pathKey(), (from, options) =>
      client.firm.members.traders.query({ ...from, limit: 50 }, options),
    ),
  );
  const rows = traders.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="traders" className="space-y-2">
      <h2 id="traders" className="font-semibold">
        Traders
      </h2>
      <p className="text-muted">Customers of the firm, who write tickets. The platform adds them.</p>
      {traders.isPending ? (
        <LoadingRows label="Loading traders" rows={3} />
      ) : traders.isError && !traders.data ? (
        <ErrorState error={traders.error} onRetry={() => void traders.refetch()} />
      ) : (
        <SettingsTable
          caption="Traders, newest first"
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          textOf={({ name, email }) => `${name} ${email}`}
          columns={[
            {
              label: 'Trader',
              sortBy: ({ name }) => name,
              cell: ({ name, email }) => (
                <>
                  <span className="block truncate">{name}</span>
                  <span className="block truncate text-xs text-muted">{email}</span>
                </>
              ),
            },
            {
              label: 'Added',
              className: 'w-36 text-muted max-sm:w-28',
              sortBy: ({ created_at }) => created_at,
              cell: ({ created_at }) => <Timestamp at={created_at} />,
            },
            {
              label: 'Data',
              isLabelHidden: true,
              className: 'w-24 text-right',
              cell: ({ id, name }) => (
                <Button
                  variant="quiet"
                  aria-label={`Data of ${name}`}
                  onClick={() => onShowData({ id, name })}
                >
                  Data
                </Button>
              ),
            },
          ]}
          empty={
            <EmptyState title="No traders yet">
              They appear here with their first ticket or when the platform adds them.
            </EmptyState>
          }
        />
      )}
      <MoreRows query={traders} />
    </section>
  );
}
