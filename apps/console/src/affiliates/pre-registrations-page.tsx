import { MAX_QUERY_LENGTH, preRegistrationStatuses } from '@firmdesk/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { type Shortcut, useShortcuts } from '../keyboard/shortcuts.ts';
import { usePermission } from '../session/account.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { useSettled } from '../ui/use-settled.ts';
import { PreRegisterDialog } from './pre-register-dialog.tsx';
import { filtersOf, preRegistrationStatusLabels, preRegistrationsQuery } from './pre-registrations-query.ts';
import { PreRegistrationsTable } from './pre-registrations-table.tsx';

const route = getRouteApi('/firm/pre-registrations');

/** Lists the firm's pre-registrations: referral codes reserved for an email. */
export function PreRegistrationsPage() {
  const filters = filtersOf(route.useSearch());
  const list = useInfiniteQuery({ ...preRegistrationsQuery(filters), placeholderData: keepPreviousData });
  const canManage = usePermission('manage_affiliates');
  const [isAdding, setAdding] = useState(false);
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  const isFiltered = filters.status !== undefined || filters.q !== undefined;
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
          <EmptyState title={isFiltered ? 'No matching pre-registrations' : 'No pre-registrations yet'}>
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
  const { status, q = '' } = filtersOf(route.useSearch());
  const navigate = route.useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q);
  const sought = useSettled(text.trim());
  /** The text of the URL, and what this field has put there. */
  const [known, setKnown] = useState(q);
  const [asked, setAsked] = useState(q);
  if (q !== known) {
    setKnown(q);
    // The URL changed elsewhere.
    if (q !== asked) {
      setAsked(q);
      setText(q);
    }
  }
  const show = (change: { status?: string | undefined; q: string }) => {
    setAsked(change.q);
    void navigate({ search: filtersOf(change), replace: true });
  };
  const search = useEffectEvent((next: string) => next !== asked && show({ status, q: next }));
  useEffect(() => void search(sought), [sought]);
  const shortcuts = useMemo<Shortcut[]>(
    () => [{ keys: '/', label: 'Search', group: 'Pre-registrations', run: () => input.current?.focus() }],
    [],
  );
  useShortcuts(shortcuts);
  return (
    <search className="flex flex-wrap items-end gap-3">
      <TextField
        ref={input}
        label="Search by email or code"
        type="search"
        autoComplete="off"
        className="w-64 max-w-full"
        maxLength={MAX_QUERY_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <SelectField
        label="Status"
        className="w-36"
        value={status ?? ''}
        choices={[
          ['', 'All'],
          ...preRegistrationStatuses.map((each) => [each, preRegistrationStatusLabels[each]] as const),
        ]}
        onValue={(value) => show({ status: value, q: text.trim() })}
      />
      {(status || text) && (
        <Button
          variant="quiet"
          onClick={() => {
            setText('');
            show({ q: '' });
          }}
        >
          Clear
        </Button>
      )}
    </search>
  );
}
