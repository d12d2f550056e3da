import {
  type WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookEndpoint,
  type WebhookEventType,
  webhookDeliveryStates,
  webhookEventTypes,
} from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Choice, SelectField } from '../../ui/fields/select-field.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { deliveryStateLabels, webhookEventLabels } from './webhook-texts.ts';

/** Which deliveries the page shows, in its URL. */
export interface DeliveryFilters {
  endpoint?: string;
  state?: WebhookDeliveryState;
  type?: WebhookEventType;
  q?: string;
}

const route = getRouteApi('/firm/settings/settings/webhooks');
const tones = { waiting: 'warning', delivered: 'neutral', failed: 'danger' } as const;

/** What was sent to the endpoints, newest first. */
export function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const filters = route.useSearch();
  const [open, setOpen] = useState<WebhookDelivery | null>(null);
  const list = useInfiniteQuery(
    pagedQuery([...trpc.firm.webhooks.deliveries.pathKey(), filters], (from, options) =>
      client.firm.webhooks.deliveries.query({ ...filters, ...from, limit: 50 }, options),
    ),
  );
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="deliveries" className="space-y-3">
      <div className="flex items-center justify-between">
        <h2 id="deliveries" className="font-semibold">
          Deliveries
        </h2>
        <Button variant="quiet" onClick={() => void list.refetch()}>
          Refresh
        </Button>
      </div>
      <Filters endpoints={endpoints} />
      {list.isPending ? (
        <LoadingRows label="Loading deliveries" rows={3} />
      ) : list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState title="No deliveries">Events of the last seven days are listed here.</EmptyState>
      ) : (
        <ul
          aria-label="Deliveries, newest first"
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {rows.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                data-list-control="delivery"
                className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-left hover:bg-raised"
                onClick={() => setOpen(row)}
              >
                <Badge tone={tones[row.state]}>{deliveryStateLabels[row.state]}</Badge>
                <span className="font-medium">{webhookEventLabels[row.type]}</span>
                <code className="text-xs break-all text-muted">{row.subject}</code>
                <span className="ml-auto text-xs text-muted">
                  <Timestamp at={row.created_at} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <MoreRows query={list} />
      {open && (
        <DeliveryDialog
          delivery={open}
          onClose={() => setOpen(null)}
          onReplayed={() => {
            setOpen(null);
            void queryClient.invalidateQueries({ queryKey: trpc.firm.webhooks.deliveries.pathKey() });
          }}
        />
      )}
    </section>
  );
}

function Filters({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: { [Name in keyof DeliveryFilters]: DeliveryFilters[Name] | undefined }) =>
    void navigate({ search: { ...search, ...change } as DeliveryFilters, replace: true });
  const find = (value: string) => show({ q: value.trim() || undefined });
  return (
    <search className="flex flex-wrap items-end gap-3">
      <TextField
        // Remounts with the value of the URL.
        key={search.q ?? ''}
        label="Id of an event or of what it is about"
        className="w-64"
        autoComplete="off"
        defaultValue={search.q ?? ''}
        onBlur={({ target }) => find(target.value)}
        onKeyDown={(event) => event.key === 'Enter' && find(event.currentTarget.value)}
      />
      <SelectField
        label="Endpoint"
        className="w-44"
        value={search.endpoint ?? ''}
        onValue={(value) => show({ endpoint: value || undefined })}
      >
        <Choice value="">All</Choice>
        {endpoints.map(({ id, url }) => (
          <Choice key={id} value={id}>
            {url}
          </Choice>
        ))}
      </SelectField>
      <SelectField
        label="Event"
        className="w-44"
        value={search.type ?? ''}
        onValue={(value) => show({ type: (value || undefined) as WebhookEventType | undefined })}
      >
        <Choice value="">All</Choice>
        {webhookEventTypes.map((type) => (
          <Choice key={type} value={type}>
            {webhookEventLabels[type]}
          </Choice>
        ))}
      </SelectField>
      <SelectField
        label="State"
        className="w-32"
        value={search.state ?? ''}
        onValue={(value) => show({ state: (value || undefined) as WebhookDeliveryState | undefined })}
      >
        <Choice value="">All</Choice>
        {webhookDeliveryStates.map((state) => (
          <Choice key={state} value={state}>
            {deliveryStateLabels[state]}
          </Choice>
        ))}
      </SelectField>
    </search>
  );
}
