import type { Member } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { describePermissions } from './permission-texts.ts';

export function MembersTable({
  members,
  onEdit,
  onDismiss,
  onShowData,
}: {
  members: readonly Member[];
  onEdit(member: Member): void;
  onDismiss(member: Member): void;
  onShowData(member: Member): void;
}) {
  const { user } = useAccount();
  const readmit = useMutation(
    trpc.firm.members.readmit.mutationOptions({
      onSuccess: ({ name }) => toast.success(`${name} is a member again`),
      onError: (error) => reportError(error, 'Couldn’t readmit the member'),
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.firm.members.pathKey() }),
    }),
  );
  return (
    <SettingsTable
      caption="Members of the team, by name"
      rows={members}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      textOf={(member) => `${member.name} ${member.email} ${roleOf(member)}`}
      columns={[
        {
          label: 'Member',
          sortBy: ({ name }) => name,
          cell: ({ id, name, email, avatar_url }) => (
            <span className="flex items-center gap-2.5">
              <Avatar name={name} url={avatar_url} />
              <span className="min-w-0">
                <span className="block truncate font-medium">
                  {name}
                  {id === user.id && <span className="font-normal text-muted"> (you)</span>}
                </span>
                <span className="block truncate text-xs text-muted">{email}</span>
              </span>
            </span>
          ),
        },
        {
          label: 'Role',
          className: 'w-44 max-sm:w-32',
          sortBy: roleOf,
          cell: (member) => (member.state === 'active' ? roleOf(member) : <Badge>{roleOf(member)}</Badge>),
        },
        {
          label: 'Last used',
          className: 'w-36 text-muted max-md:hidden',
          sortBy: ({ last_used_at }) => last_used_at,
          cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : 'Never'),
        },
      ]}
      actions={(member) => (
        <>
          <MenuItem onSelect={() => onEdit(member)}>Change permissions…</MenuItem>
          <MenuItem onSelect={() => onShowData(member)}>Data: export or erase…</MenuItem>
          <MenuSeparator />
          {member.state === 'dismissed' ? (
            <MenuItem onSelect={() => readmit.mutate({ id: member.id })}>Readmit</MenuItem>
          ) : (
            <MenuItem isDanger onSelect={() => onDismiss(member)}>
              Dismiss…
            </MenuItem>
          )}
        </>
      )}
      empty={<EmptyState title="No members yet" />}
    />
  );
}

function roleOf({ state, permissions }: Member): string {
  if (state === 'active') return describePermissions(permissions);
  return state === 'dismissed' ? 'Dismissed' : 'Deactivated';
}
