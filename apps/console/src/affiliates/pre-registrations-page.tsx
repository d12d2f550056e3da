import { preRegistrationStatuses } from '@firmdesk/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { usePermission } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { PreRegisterDialog } from './pre-register-dialog.tsx';
import { filtersOf, preRegistrationStatusLabels, preRegistrationsQuery } from './pre-registrations-query.ts';
import { PreRegistrationsTable } from './pre-registrations-table.tsx';

const route = getRouteApi('/firm/pre-registrations');

/** Lists the firm's pre-registrations: referral codes reserved for an email. */
export function PreRegistrationsPage() {
  const filters = filtersOf(route.useSearch());
  const list = useInfiniteQuery(preRegistrationsQuery(filters));
  const canManage = usePermission('manage_affiliates');
  const [isAdding, setAdding] = useState(false);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = filters.status !== undefined || filters.email !== undefined;
  return (
    <Page
      title="Pre-registrations"
      actions={
        canManage && (
          <Button variant="solid" onClick={() => setAdding(true)}>
            <Plus size={15} aria-hidden="true" />
            New pre-registration
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4 p-4">
        <Filters />
        {list.isPending ? (
          <LoadingRows label="Loading pre-registrations" />
        ) : list.isError && !list.data ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title={isFiltered ? 'No matching reservations' : 'No pre-registrations yet'}>
            {isFiltered
              ? 'Change or clear the filters.'
              : 'Referral codes that you reserve for an email appear here.'}
          </EmptyState>
        ) : (
          <PreRegistrationsTable rows={rows} />
        )}
        <MoreRows query={list} />
      </div>
      {canManage && <PreRegisterDialog isOpen={isAdding} onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** The filters. They are part of the URL, so that a filtered list can be shared. */
function Filters() {
  const search = route.useSearch();
  const { status, email } = filtersOf(search);
  const navigate = route.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const show = (change: { status?: string | undefined; email?: string | undefined }) =>
    void navigate({ search: filtersOf({ ...search, ...change } as typeof search), replace: true });
  const find = (event: FormEvent) => {
    event.preventDefault();
    show({ email: input.current?.value.trim() });
  };
  const shortcuts = useMemo<Shortcut[]>(
    () => [
      {
        keys: '/',
        label: 'Search by email',
        group: 'Pre-registrations',
        run: () => input.current?.focus(),
      },
    ],
    [],
  );
  useShortcuts(shortcuts);
  return (
    <search>
      <form onSubmit={find} className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Status"
          className="w-36"
          value={status ?? ''}
          choices={[
            ['', 'All'],
            ...preRegistrationStatuses.map((each) => [each, preRegistrationStatusLabels[each]] as const),
          ]}
          onValue={(value) => show({ status: value })}
        />
        <div className="flex min-w-0 items-end gap-2">
          <TextField
            // Remounts with the email of the URL as its default value.
            key={email ?? ''}
            ref={input}
            label="Email (exact match)"
            type="search"
            inputMode="email"
            autoComplete="off"
            className="w-64 max-w-full"
            defaultValue={email ?? ''}
          />
          <Button type="submit" className="h-9">
            Search
          </Button>
        </div>
        {(status || email) && (
          <Button variant="quiet" onClick={() => show({ status: undefined, email: undefined })}>
            Clear
          </Button>
        )}
      </form>
    </search>
  );
}
