import type { WebhookEndpoint } from '@firmdesk/contract';
import { Badge } from '../../ui/badge.tsx';
import { MenuItem, MenuSeparator } from '../../ui/menu.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { webhookEventLabels } from './webhook-texts.ts';

export type EndpointAction = 'edit' | 'rotate' | 'delete' | 'switch' | 'deliveries';

export function EndpointsTable({
  endpoints,
  onAction,
}: {
  endpoints: readonly WebhookEndpoint[];
  onAction(action: EndpointAction, endpoint: WebhookEndpoint): void;
}) {
  return (
    <ul
      aria-label="Endpoints, newest first"
      className="divide-y divide-line rounded-lg border border-line bg-surface"
    >
      {endpoints.map((endpoint) => {
        const { id, url, description, events, disabled, failing_since, previous_until } = endpoint;
        const act = (action: EndpointAction) => () => onAction(action, endpoint);
        return (
          <li key={id} className="flex items-start gap-2 px-3 py-2">
            <div className="min-w-0 flex-1">
              <div className="flex flex-wrap items-center gap-2">
                <span className="font-medium break-all">{url}</span>
                {disabled && (
                  <Badge tone={disabled === 'failing' ? 'danger' : 'neutral'}>
                    {disabled === 'failing' ? 'Off: failed for three days' : 'Off'}
                  </Badge>
                )}
                {!disabled && failing_since && <Badge tone="warning">Failing</Badge>}
              </div>
              {description && <p>{description}</p>}
              <p className="text-xs text-muted">
                {events.map((type) => webhookEventLabels[type]).join(', ')}
              </p>
              {failing_since && (
                <p className="text-xs text-warning">
                  No delivery was accepted since <Timestamp at={failing_since} />
                </p>
              )}
              {previous_until && (
                <p className="text-xs text-warning">
                  The last secret ends <Timestamp at={previous_until} />
                </p>
              )}
            </div>
            <RowMenu name={url}>
              <MenuItem onSelect={act('deliveries')}>Show deliveries</MenuItem>
              <MenuItem onSelect={act('edit')}>Edit…</MenuItem>
              <MenuItem onSelect={act('rotate')}>Rotate the secret…</MenuItem>
              <MenuItem onSelect={act('switch')}>{disabled ? 'Switch on' : 'Switch off'}</MenuItem>
              <MenuSeparator />
              <MenuItem isDanger onSelect={act('delete')}>
                Delete…
              </MenuItem>
            </RowMenu>
          </li>
        );
      })}
    </ul>
  );
}
