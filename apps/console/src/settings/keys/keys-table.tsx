import type { ApiKey } from '@firmdesk/contract';
import { MoreHorizontal } from 'lucide-react';
import { useAccount } from '../../session/account.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';

const head = 'px-3 py-2 text-left text-xs font-medium text-muted';
const cell = 'px-3 py-2 align-top';

export function KeysTable({
  keys,
  onRotate,
  onRevoke,
}: {
  keys: readonly ApiKey[];
  onRotate(key: ApiKey): void;
  onRevoke(key: ApiKey): void;
}) {
  const { user } = useAccount();
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <table className="w-full table-fixed border-collapse">
        <caption className="sr-only">API keys, newest first</caption>
        <thead className="border-b border-line">
          <tr>
            <th scope="col" className={head}>
              Key
            </th>
            <th scope="col" className={`${head} w-40 max-sm:hidden`}>
              Member
            </th>
            <th scope="col" className={`${head} w-32 max-md:hidden`}>
              Last used
            </th>
            <th scope="col" className={`${head} w-32 max-sm:w-28`}>
              Expires
            </th>
            <th scope="col" className={`${head} w-14`}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {keys.map((key) => {
            const name = key.name ?? key.id;
            return (
              <tr key={key.id}>
                <th scope="row" className={`${cell} text-left font-normal`}>
                  <span className="flex items-center gap-2">
                    <span className="truncate font-medium">{name}</span>
                    {key.environment === 'test' && <Badge tone="warning">Test data</Badge>}
                  </span>
                  <span className="block text-xs break-words text-muted">{key.scopes.join(', ')}</span>
                  {key.previous_until && (
                    <span className="block text-xs text-warning">
                      The last secret works until <Timestamp at={key.previous_until} />
                    </span>
                  )}
                </th>
                <td className={`${cell} truncate text-muted max-sm:hidden`}>{key.member.name}</td>
                <td className={`${cell} text-muted max-md:hidden`}>
                  {key.last_used_at ? <Timestamp at={key.last_used_at} /> : 'Never'}
                </td>
                <td className={`${cell} text-muted`}>
                  {key.expires_at ? <Timestamp at={key.expires_at} /> : 'Never'}
                </td>
                <td className={`${cell} text-right`}>
                  <Menu
                    label={`Actions of ${name}`}
                    align="end"
                    trigger={
                      <IconButton
                        data-list-control="key"
                        label={`Actions of ${name}`}
                        className="pointer-coarse:size-11"
                      >
                        <MoreHorizontal size={16} aria-hidden="true" />
                      </IconButton>
                    }
                  >
                    {key.member.id === user.id && (
                      <>
                        <MenuItem onSelect={() => onRotate(key)}>Rotate…</MenuItem>
                        <MenuSeparator />
                      </>
                    )}
                    <MenuItem isDanger onSelect={() => onRevoke(key)}>
                      Revoke…
                    </MenuItem>
                  </Menu>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
