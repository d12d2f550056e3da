import type { ApiKey } from '@firmdesk/contract';
import { useAccount } from '../../session/account.ts';
import { Badge } from '../../ui/badge.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';

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
    <SettingsTable
      caption="API keys, newest first"
      rows={keys}
      idOf={({ id }) => id}
      nameOf={nameOf}
      textOf={(key) => `${nameOf(key)} ${key.environment} ${key.member.name} ${key.scopes.join(' ')}`}
      columns={[
        {
          label: 'Key',
          sortBy: nameOf,
          cell: (key) => (
            <>
              <span className="flex items-center gap-2">
                <span className="truncate font-medium">{nameOf(key)}</span>
                {key.environment === 'test' && <Badge tone="warning">Test data</Badge>}
              </span>
              <span className="block text-xs break-words text-muted">{key.scopes.join(', ')}</span>
              {key.previous_until && (
                <span className="block text-xs text-warning">
                  The last secret works until <Timestamp at={key.previous_until} />
                </span>
              )}
            </>
          ),
        },
        {
          label: 'Member',
          className: 'w-40 truncate text-muted max-sm:hidden',
          sortBy: ({ member }) => member.name,
          cell: ({ member }) => member.name,
        },
        {
          label: 'Last used',
          className: 'w-32 text-muted max-md:hidden',
          sortBy: ({ last_used_at }) => last_used_at,
          cell: ({ last_used_at }) => (last_used_at ? <Timestamp at={last_used_at} /> : 'Never'),
        },
        {
          label: 'Expires',
          className: 'w-32 text-muted max-sm:w-28',
          sortBy: ({ expires_at }) => expires_at,
          cell: ({ expires_at }) => (expires_at ? <Timestamp at={expires_at} /> : 'Never'),
        },
      ]}
      actions={(key) => (
        <>
          {key.member.id === user.id && (
            <>
              <MenuItem onSelect={() => onRotate(key)}>Rotate…</MenuItem>
              <MenuSeparator />
            </>
          )}
          <MenuItem isDanger onSelect={() => onRevoke(key)}>
            Revoke…
          </MenuItem>
        </>
      )}
      empty={<EmptyState title="No API keys yet">Create one for a program that calls the API.</EmptyState>}
    />
  );
}

const nameOf = ({ name, id }: ApiKey) => name ?? id;
