import {
  type WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookEndpoint,
  type WebhookEventType,
  webhookDeliveryStates,
  webhookEventTypes,
} from '@firmdesk/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { client, queryClient, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { SettingsTable } from '../settings-table.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { deliveryStateLabels, webhookEventLabels } from './webhook-texts.ts';

/** Which deliveries the page shows, in its URL. */
export interface DeliveryFilters {
  endpoint?: string;
  state?: WebhookDeliveryState;
  type?: WebhookEventType;
  q?: string;
  sort?: 'created_at';
}

const route = getRouteApi('/firm/settings/settings/webhooks');
const tones = { waiting: 'warning', delivered: 'neutral', failed: 'danger' } as const;

/** What was sent to the endpoints, newest first. */
export function Deliveries({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const filters = route.useSearch();
  const [open, setOpen] = useState<WebhookDelivery | null>(null);
  const navigate = route.useNavigate();
  const list = useInfiniteQuery({
    ...pagedQuery([...trpc.firm.webhooks.deliveries.pathKey(), filters], (from, options) =>
      client.firm.webhooks.deliveries.query({ ...filters, ...from, limit: 50 }, options),
    ),
    placeholderData: keepPreviousData,
  });
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
      ) : list.isError && (!list.data || list.isPlaceholderData) ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <SettingsTable
          caption="Deliveries"
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ subject }) => subject}
          order={{
            value: filters.sort,
            onChange(value) {
              const { sort: _, ...others } = filters;
              const search: DeliveryFilters = value === 'created_at' ? { ...others, sort: value } : others;
              void navigate({ search, replace: true });
            },
          }}
          columns={[
            {
              label: 'Event',
              cell: (row) => (
                <button
                  type="button"
                  data-list-control="delivery"
                  aria-label={`${deliveryStateLabels[row.state]}: ${webhookEventLabels[row.type]}`}
                  className="font-medium underline-offset-2 hover:underline"
                  onClick={() => setOpen(row)}
                >
                  {webhookEventLabels[row.type]}
                </button>
              ),
            },
            {
              label: 'About',
              className: 'w-72 max-md:hidden',
              cell: ({ subject }) => <code className="text-xs break-all text-muted">{subject}</code>,
            },
            {
              label: 'State',
              className: 'w-28',
              cell: ({ state }) => <Badge tone={tones[state]}>{deliveryStateLabels[state]}</Badge>,
            },
            {
              label: 'Time',
              className: 'w-32 text-xs text-muted max-sm:w-28',
              order: 'created_at',
              cell: ({ created_at }) => <Timestamp at={created_at} />,
            },
          ]}
          empty={<NoDeliveries filters={filters} />}
        />
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

function NoDeliveries({ filters: { q, endpoint, state, type } }: { filters: DeliveryFilters }) {
  if (q !== undefined)
    return (
      <EmptyState title={`No delivery matches “${q}”`}>
        Search for parts of an id, of an event such as “ticket.created”, or of a result such as “404”.
      </EmptyState>
    );
  if (endpoint ?? state ?? type)
    return <EmptyState title="No delivery matches">Change the filters.</EmptyState>;
  return <EmptyState title="No deliveries">Events of the last seven days are listed here.</EmptyState>;
}

function Filters({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: { [Name in keyof DeliveryFilters]: DeliveryFilters[Name] | undefined }) =>
    void navigate({ search: { ...search, ...change } as DeliveryFilters, replace: true });
  const [text, setText] = useState(search.q ?? '');
  const q = useSettled(text.trim()) || undefined;
  useEffect(() => {
    if (q !== search.q) show({ q });
  }, [q]);
  return (
    <search className="flex flex-wrap items-end gap-3">
      <TextField
        type="search"
        label="Search"
        placeholder="Id, event or result"
        className="w-64"
        autoComplete="off"
        maxLength={100}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <SelectField
        label="Endpoint"
        className="w-44"
        value={search.endpoint ?? null}
        choices={[[null, 'All'], ...endpoints.map(({ id, url }) => [id, url] as const)]}
        onValue={(endpoint) => show({ endpoint: endpoint ?? undefined })}
      />
      <SelectField
        label="Event"
        className="w-44"
        value={search.type ?? null}
        choices={[
          [null, 'All'],
          ...webhookEventTypes.map((type) => [type, webhookEventLabels[type]] as const),
        ]}
        onValue={(type) => show({ type: type ?? undefined })}
      />
      <SelectField
        label="State"
        className="w-32"
        value={search.state ?? null}
        choices={[
          [null, 'All'],
          ...webhookDeliveryStates.map((state) => [state, deliveryStateLabels[state]] as const),
        ]}
        onValue={(state) => show({ state: state ?? undefined })}
      />
    </search>
  );
}
