import type { Member } from '@firmdesk/contract';
import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { trpc } from '../../api.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { PersonDataDialog } from '../data/person-data-dialog.tsx';
import { PersonRequests } from '../data/person-requests.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { DismissDialog } from './dismiss-dialog.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { InvitesTable } from './invites-table.tsx';
import { MembersTable } from './members-table.tsx';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { Traders } from './traders.tsx';

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
