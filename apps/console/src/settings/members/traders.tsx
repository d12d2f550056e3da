import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { SettingsTable } from '../settings-table.tsx';

type Sort = 'name' | '-name' | 'created_at' | '-created_at';

/** The firm's traders, searched and sorted by the service. */
export function Traders({ onShowData }: { onShowData(person: { id: string; name: string }): void }) {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<Sort>();
  const q = useSettled(text.trim());
  const filters = { ...(q && { q }), ...(sort && { sort }) };
  const traders = useInfiniteQuery({
    ...pagedQuery([...trpc.firm.members.traders.pathKey(), filters], (from, options) =>
      client.firm.members.traders.query({ ...filters, ...from, limit: 50 }, options),
    ),
    placeholderData: keepPreviousData,
  });
  const rows = traders.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <section aria-labelledby="traders" className="space-y-2">
      <h2 id="traders" className="font-semibold">
        Traders
      </h2>
      <p className="text-muted">Customers of the firm, who write tickets. The platform adds them.</p>
      <TextField
        type="search"
        label="Search traders"
        isLabelHidden
        placeholder="Search by name or address"
        className="max-w-64"
        maxLength={100}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {traders.isPending ? (
        <LoadingRows label="Loading traders" rows={3} />
      ) : traders.isError && (!traders.data || traders.isPlaceholderData) ? (
        <ErrorState error={traders.error} onRetry={() => void traders.refetch()} />
      ) : (
        <SettingsTable
          caption="Traders"
          rows={rows}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          order={{ value: sort, onChange: (value) => setSort(value as Sort | undefined) }}
          columns={[
            {
              label: 'Trader',
              order: 'name',
              cell: ({ name, email }) => (
                <>
                  <span className="block truncate">{name}</span>
                  <span className="block truncate text-xs text-muted">{email}</span>
                </>
              ),
            },
            {
              label: 'Added',
              className: 'w-36 text-muted max-sm:w-28',
              order: 'created_at',
              cell: ({ created_at }) => <Timestamp at={created_at} />,
            },
            {
              label: 'Data',
              isLabelHidden: true,
              className: 'w-24 text-right',
              cell: ({ id, name }) => (
                <Button
                  variant="quiet"
                  aria-label={`Data of ${name}`}
                  onClick={() => onShowData({ id, name })}
                >
                  Data
                </Button>
              ),
            },
          ]}
          empty={
            q === '' ? (
              <EmptyState title="No traders yet">
                They appear here with their first ticket or when the platform adds them.
              </EmptyState>
            ) : (
              <EmptyState title={`No trader matches “${q}”`}>
                Search for parts of a name or of an address.
              </EmptyState>
            )
          }
        />
      )}
      <MoreRows query={traders} />
    </section>
  );
}
