import { type AuditEntry, auditKinds } from '@firmdesk/contract';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { client, trpc } from '../../api.ts';
import { pagedQuery } from '../../paged-query.ts';
import { usePermission } from '../../session/account.ts';
import { reportError } from '../../shell/report-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { DayField } from '../../ui/time/day-field.tsx';
import { Timestamp } from '../../ui/time/timestamp.tsx';
import { auditKindLabels, describeAction, describeActor } from './audit-texts.ts';
import { type AuditFilters, exportAudit } from './export-audit.ts';

const route = getRouteApi('/firm/settings/settings/audit');

/** Who changed what in the firm. */
export function AuditPage() {
  const filters = route.useSearch();
  const entries = useInfiniteQuery(
    pagedQuery([...trpc.firm.audit.list.pathKey(), filters], (from, options) =>
      client.firm.audit.list.query({ ...filters, ...from, limit: 50 }, options),
    ),
  );
  const rows = entries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Page title="Audit log" actions={<Exports filters={filters} />}>
      <div className="mx-auto max-w-4xl space-y-4 p-4">
        <Filters actors={rows.map(({ actor }) => actor)} />
        {entries.isPending ? (
          <LoadingRows label="Loading the audit log" />
        ) : entries.isError && !entries.data ? (
          <ErrorState error={entries.error} onRetry={() => void entries.refetch()} />
        ) : rows.length === 0 ? (
          <EmptyState title="No entries">Change or clear the filters.</EmptyState>
        ) : (
          <ol
            aria-label="Entries, newest first"
            className="divide-y divide-line rounded-lg border border-line bg-surface"
          >
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
        <MoreRows query={entries} />
      </div>
    </Page>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { before, after, target, actor } = entry;
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{describeAction(entry.action)}</span>
        <span className="text-xs text-muted">
          <Timestamp at={entry.created_at} />
        </span>
      </div>
      <div className="flex flex-wrap gap-x-3 text-muted">
        <span>
          By{' '}
          {actor.kind === 'account' && actor.id ? (
            <Link to="/settings/audit" search={{ person: actor.id }} className="underline">
              {describeActor(entry)}
            </Link>
          ) : (
            describeActor(entry)
          )}
        </span>
        <Target target={target} />
        {entry.network && <span>From {entry.network}</span>}
      </div>
      {(before ?? after) && (
        <details className="mt-1">
          <summary className="cursor-pointer text-xs text-muted">What was changed</summary>
          <pre className="mt-1 overflow-x-auto rounded-md border border-line bg-raised p-2 text-xs">
            {JSON.stringify({ before, after }, null, 2)}
          </pre>
        </details>
      )}
    </li>
  );
}

const pages = {
  user: '/settings/members',
  invite: '/settings/members',
  team: '/settings/teams',
  tag: '/settings/tags',
  mailbox: '/settings/shared-mailboxes',
  token: '/settings/keys',
  macro: '/settings/macros',
  webhook: '/settings/webhooks',
  article: '/settings/assistant',
  rule: '/settings/rules',
  calendar: '/settings/calendars',
  firm: '/settings/general',
} as const;

/** Opens the page of an entry's object, at its row. */
function Target({ target: { type, id, name } }: Pick<AuditEntry, 'target'>) {
  const text = name ?? id;
  if (type === 'ticket')
    return (
      <Link to="/tickets/$ticket" params={{ ticket: id }} className="underline">
        {text}
      </Link>
    );
  if (Object.hasOwn(pages, type))
    return (
      <Link to={pages[type as keyof typeof pages]} hash={id} className="underline">
        {text}
      </Link>
    );
  return <span>{text}</span>;
}

/** The people by whom entries can be filtered: the members, for who may list them, and who has done what is listed. */
function usePeople(actors: readonly AuditEntry['actor'][]): Map<string, string> {
  const [seen] = useState(() => new Map<string, string>());
  const members = useQuery({
    ...trpc.firm.members.list.queryOptions(),
    enabled: usePermission('manage_members'),
  });
  for (const { kind, id, name } of actors) if (kind === 'account' && id && name) seen.set(id, name);
  for (const { id, name } of members.data?.data ?? []) seen.set(id, name);
  return seen;
}

function Filters({ actors }: { actors: readonly AuditEntry['actor'][] }) {
  const search = route.useSearch();
  const people = usePeople(actors);
  const navigate = route.useNavigate();
  const show = (change: { [Name in keyof AuditFilters]: AuditFilters[Name] | undefined }) =>
    void navigate({ search: { ...search, ...change } as AuditFilters, replace: true });
  const text = (name: 'person' | 'target' | 'since' | 'until', value: string) =>
    show({ [name]: value.trim() === '' ? undefined : value.trim() });
  return (
    <search className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Kind"
        className="w-48"
        value={search.kind ?? null}
        choices={[
          [null, 'All but tickets'],
          ...auditKinds.map((kind) => [kind, auditKindLabels[kind]] as const),
        ]}
        onValue={(kind) => show({ kind: kind ?? undefined })}
      />
      <SelectField
        label="Person"
        className="w-44"
        value={search.person ?? null}
        choices={[
          [null, 'Anyone'],
          ...(search.person && !people.has(search.person) ? [[search.person, search.person] as const] : []),
          ...people,
        ]}
        onValue={(person) => show({ person: person ?? undefined })}
      />
      <TextField
        // Remounts with the value of the URL.
        key={search.target ?? ''}
        label="Id of an object"
        className="w-56"
        autoComplete="off"
        defaultValue={search.target ?? ''}
        onBlur={({ target }) => text('target', target.value)}
        onKeyDown={(event) => event.key === 'Enter' && text('target', event.currentTarget.value)}
      />
      <DayField
        label="From"
        className="w-40"
        value={search.since ?? ''}
        onDay={(day) => text('since', day)}
      />
      <DayField label="To" className="w-40" value={search.until ?? ''} onDay={(day) => text('until', day)} />
      {Object.keys(search).length > 0 && (
        <Button variant="quiet" className="h-9" onClick={() => void navigate({ search: {}, replace: true })}>
          Clear
        </Button>
      )}
    </search>
  );
}

function Exports({ filters }: { filters: AuditFilters }) {
  const [isBusy, setBusy] = useState(false);
  const run = async (form: 'jsonl' | 'csv') => {
    setBusy(true);
    try {
      await exportAudit(filters, form);
    } catch (error) {
      reportError(error, 'Couldn’t export the audit log');
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button disabled={isBusy} onClick={() => void run('csv')}>
        Export CSV
      </Button>
      <Button disabled={isBusy} onClick={() => void run('jsonl')}>
        Export JSON lines
      </Button>
    </>
  );
}
