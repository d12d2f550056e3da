import type { WebhookEndpoint } from '@firmdesk/contract';
import { Badge } from '../../ui/badge.tsx';
import { MenuItem, MenuSeparator } from '../../ui/overlays/menu.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { SettingsTable } from '../settings-table.tsx';
import { webhookEventLabels } from './webhook-texts.ts';

export type EndpointAction = 'edit' | 'rotate' | 'delete' | 'switch' | 'deliveries';

const eventsOf = ({ events }: WebhookEndpoint) => events.map((type) => webhookEventLabels[type]).join(', ');

export function EndpointsTable({
  endpoints,
  onAction,
}: {
  endpoints: readonly WebhookEndpoint[];
  onAction(action: EndpointAction, endpoint: WebhookEndpoint): void;
}) {
  return (
    <SettingsTable
      caption="Endpoints, newest first"
      rows={endpoints}
      idOf={({ id }) => id}
      nameOf={({ url }) => url}
      textOf={(endpoint) => `${endpoint.url} ${endpoint.description} ${eventsOf(endpoint)}`}
      columns={[
        {
          label: 'Endpoint',
          sortBy: ({ url }) => url,
          cell: (endpoint) => <Endpoint endpoint={endpoint} />,
        },
        {
          label: 'Events',
          className: 'w-64 text-xs text-muted max-sm:hidden',
          sortBy: eventsOf,
          cell: eventsOf,
        },
      ]}
      actions={(endpoint) => {
        const act = (action: EndpointAction) => () => onAction(action, endpoint);
        return (
          <>
            <MenuItem onSelect={act('deliveries')}>Show deliveries</MenuItem>
            <MenuItem onSelect={act('edit')}>Edit…</MenuItem>
            <MenuItem onSelect={act('rotate')}>Rotate the secret…</MenuItem>
            <MenuItem onSelect={act('switch')}>{endpoint.disabled ? 'Switch on' : 'Switch off'}</MenuItem>
            <MenuSeparator />
            <MenuItem isDanger onSelect={act('delete')}>
              Delete…
            </MenuItem>
          </>
        );
      }}
      empty={<EmptyState title="No endpoints yet">Add one for a system that must know of events.</EmptyState>}
    />
  );
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, description, disabled, failing_since, previous_until } = endpoint;
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        <span className="font-medium break-all">{url}</span>
        {disabled && (
          <Badge tone={disabled === 'failing' ? 'danger' : 'neutral'}>
            {disabled === 'failing' ? 'Off: failed for three days' : 'Off'}
          </Badge>
        )}
        {!disabled && failing_since && <Badge tone="warning">Failing</Badge>}
      </span>
      {description && <span className="block">{description}</span>}
      {failing_since && (
        <span className="block text-xs text-warning">
          No delivery was accepted since <Timestamp at={failing_since} />
        </span>
      )}
      {previous_until && (
        <span className="block text-xs text-warning">
          The last secret ends <Timestamp at={previous_until} />
        </span>
      )}
    </>
  );
}
