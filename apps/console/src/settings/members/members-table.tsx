import type { Member } from '@firmdesk/contract';
import { useMutation } from '@tanstack/react-query';
import { MoreHorizontal } from 'lucide-react';
import { queryClient, trpc } from '../../api.ts';
import { useAccount } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { toast } from '../../shell/toast.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { describePermissions } from '../permission-texts.ts';

const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const cell = 'px-3 py-2 align-middle';

export function MembersTable({
  members,
  onEdit,
  onDismiss,
}: {
  members: readonly Member[];
  onEdit(member: Member): void;
  onDismiss(member: Member): void;
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
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">Members of the team, by name</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={head}>
              Member
            </th>
            <th scope="col" className={`${head} w-44 max-sm:w-32`}>
              Role
            </th>
            <th scope="col" className={`${head} w-36 max-md:hidden`}>
              Last used
            </th>
            <th scope="col" className={`${head} w-14`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {members.map((member) => (
            <tr key={member.id}>
              <th scope="row" className={`${cell} text-left font-normal`}>
                <span className="flex items-center gap-2.5">
                  <Avatar name={member.name} url={member.avatar_url} />
                  <span className="min-w-0">
                    <span className="block truncate font-medium">
                      {member.name}
                      {member.id === user.id && <span className="font-normal text-muted"> (you)</span>}
                    </span>
                    <span className="block truncate text-xs text-muted">{member.email}</span>
                  </span>
                </span>
              </th>
              <td className={cell}>
                {member.state === 'active' ? (
                  describePermissions(member.permissions)
                ) : (
                  <Badge>{member.state === 'dismissed' ? 'Dismissed' : 'Deactivated'}</Badge>
                )}
              </td>
              <td className={`${cell} text-muted max-md:hidden`}>
                {member.last_used_at ? <Timestamp at={member.last_used_at} /> : 'Never'}
              </td>
              <td className={`${cell} text-right`}>
                <Menu
                  label={`Actions of ${member.name}`}
                  align="end"
                  trigger={
                    <IconButton
                      data-list-control="member"
                      label={`Actions of ${member.name}`}
                      className="pointer-coarse:size-11"
                    >
                      <MoreHorizontal size={16} aria-hidden="true" />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => onEdit(member)}>Change permissions…</MenuItem>
                  <MenuSeparator />
                  {member.state === 'dismissed' ? (
                    <MenuItem onSelect={() => readmit.mutate({ id: member.id })}>Readmit</MenuItem>
                  ) : (
                    <MenuItem isDanger onSelect={() => onDismiss(member)}>
                      Dismiss…
                    </MenuItem>
                  )}
                </Menu>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
