import type { Invite } from '@firmdesk/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient, trpc } from '../../api.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { useLiveFirm } from '../use-live-firm.ts';
import { copyInviteLink } from './copy-invite-link.ts';
import { describePermissions } from './permission-texts.ts';

const stateTexts: Record<Invite['state'], string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  expired: 'Expired',
  revoked: 'Revoked',
  withdrawn: 'On hold',
};

/** The invites to the team, with what can be done with each. */
export function InvitesTable() {
  const invites = useQuery(trpc.firm.invites.list.queryOptions());
  const [ending, setEnding] = useState<Invite | null>(null);
  useLiveFirm('invites');
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.firm.invites.pathKey() });
  const resend = useMutation(
    trpc.firm.invites.resend.mutationOptions({
      onSuccess: ({ email }) => toast.success(`Invite sent again to ${email}`),
      onError: (error) => reportError(error, 'Couldn’t send the invite'),
      onSettled: refresh,
    }),
  );
  const revoke = useMutation(
    trpc.firm.invites.revoke.mutationOptions({
      onSuccess: () => toast.success('Invite revoked'),
      onError: (error) => reportError(error, 'Couldn’t revoke the invite'),
      onSettled: refresh,
    }),
  );
  return (
    <section aria-labelledby="invites" className="space-y-2">
      <h2 id="invites" className="font-semibold">
        Invites
      </h2>
      {invites.isPending ? (
        <LoadingRows label="Loading invites" rows={2} />
      ) : invites.isError ? (
        <ErrorState error={invites.error} onRetry={() => void invites.refetch()} />
      ) : (
        <SettingsTable
          caption="Invites to the team, newest first"
          rows={invites.data.data}
          idOf={({ id }) => id}
          nameOf={({ email }) => email}
          textOf={(invite) => `${invite.email} ${invite.invited_by.name} ${stateTexts[invite.state]}`}
          columns={[
            {
              label: 'Invited',
              sortBy: ({ email }) => email,
              cell: (invite) => (
                <>
                  <span className="block truncate font-medium">{invite.email}</span>
                  <span className="block truncate text-xs text-muted">
                    {`By ${invite.invited_by.name}`}
                    {isUndelivered(invite) && ', mail not delivered: copy the link'}
                  </span>
                </>
              ),
            },
            {
              label: 'Role',
              className: 'w-36 max-sm:hidden',
              sortBy: ({ permissions }) => describePermissions(permissions),
              cell: ({ permissions }) => describePermissions(permissions),
            },
            {
              label: 'State',
              className: 'w-32',
              sortBy: ({ state }) => stateTexts[state],
              cell: ({ state }) => <Badge>{stateTexts[state]}</Badge>,
            },
            {
              label: 'Expires',
              className: 'w-36 text-muted max-md:hidden',
              sortBy: ({ expires_at }) => expires_at,
              cell: ({ expires_at }) => <Timestamp at={expires_at} />,
            },
          ]}
          actions={(invite) =>
            invite.state !== 'accepted' &&
            invite.state !== 'revoked' && (
              <>
                {invite.state === 'pending' && (
                  <MenuItem onSelect={() => void copyInviteLink(invite)}>Copy link</MenuItem>
                )}
                <MenuItem onSelect={() => resend.mutate({ id: invite.id })}>Send again</MenuItem>
                <MenuSeparator />
                <MenuItem isDanger onSelect={() => setEnding(invite)}>
                  Revoke…
                </MenuItem>
              </>
            )
          }
          empty={
            <EmptyState title="No invites">Invite a colleague: the link works for seven days.</EmptyState>
          }
        />
      )}
      {ending && (
        <ConfirmDialog
          title="Revoke this invite?"
          confirmLabel="Revoke"
          onClose={() => setEnding(null)}
          onConfirm={() => revoke.mutate({ id: ending.id })}
        >
          The link for {ending.email} stops working at once.
        </ConfirmDialog>
      )}
    </section>
  );
}

function isUndelivered({ state, delivery }: Invite): boolean {
  return state === 'pending' && (delivery === 'failed' || delivery === 'not_sent');
}
