import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { trpc } from '../api.ts';
import { dayOf } from '../calendar/views/days.ts';
import { wallClockMs } from '../calendar/wall-clock.ts';
import { usePermission, useTimeZone } from '../session/account.ts';
import { firm } from '../session/firm.ts';
import { download } from '../settings/download.ts';
import { useSupportDirectory } from '../tickets/properties/use-support-directory.ts';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { DayField } from '../ui/time/day-field.tsx';
import { Timestamp } from '../ui/time/timestamp.tsx';
import { ReportBody } from './report-body.tsx';
import { reportCsv } from './report-csv.ts';
import { lastDays, type ReportSearch } from './report-period.ts';

const route = getRouteApi('/firm/reports');

/** The periods that are one choice, in days until today. */
const presets = [7, 30, 90, 365];
const DEFAULT_DAYS = 30;

/** How the firm’s support does in a period, compared with the one before. */
export function ReportsPage() {
  const search = route.useSearch();
  const today = dayOf(wallClockMs(Date.now(), useTimeZone()));
  const { from, until } = { ...lastDays(DEFAULT_DAYS, today), ...search };
  const input = { from, until, ...(search.team !== undefined && { team: search.team }) };
  const found = useQuery(trpc.reports.get.queryOptions(input, { placeholderData: keepPreviousData }));
  const report = found.data;
  return (
    <Page
      title="Reports"
      actions={
        <Button
          disabled={!report}
          onClick={() =>
            report && download(`report-${firm}-${from}-${until}.csv`, reportCsv(report), 'text/csv')
          }
        >
          Export CSV
        </Button>
      }
    >
      <div className="mx-auto max-w-6xl space-y-4 p-4">
        <Filters from={from} until={until} today={today} search={search} />
        {!report ? (
          found.isError ? (
            <ErrorState error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <LoadingRows label="Loading the report" rows={6} />
          )
        ) : report.counted_at === null ? (
          <EmptyState title="Nothing is counted yet">
            Tickets are counted every ten minutes. Come back soon.
          </EmptyState>
        ) : (
          <>
            <p className="text-xs text-muted">
              Days are in {report.timezone}. Compared with {report.previous_from} to {report.previous_until}.
              Counted <Timestamp at={report.counted_at} />; changes of earlier days count from the next night
              on.
            </p>
            <ReportBody report={report} team={search.team === undefined ? {} : { team: search.team }} />
          </>
        )}
      </div>
    </Page>
  );
}

function Filters({
  from,
  until,
  today,
  search,
}: {
  from: string;
  until: string;
  today: string;
  search: ReportSearch;
}) {
  const navigate = route.useNavigate();
  const teams = useSupportDirectory(usePermission('view_tickets'))?.teams ?? [];
  const show = (next: ReportSearch) => void navigate({ search: next, replace: true });
  const preset = presets.find((days) => lastDays(days, today).from === from && until === today);
  const setDay = (name: 'from' | 'until', day: string) => {
    const next = { from, until, [name]: day };
    // A period that ends before it begins is not one.
    if (day !== '') show({ ...search, ...next, ...(next.from > next.until && { from: day, until: day }) });
  };
  return (
    <search className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Period"
        className="w-40"
        value={preset ?? null}
        choices={[
          ...(preset === undefined ? [[null, 'Chosen days'] as const] : []),
          ...presets.map((days) => [days, `Last ${days} days`] as const),
        ]}
        onValue={(value) => show({ ...search, ...lastDays(Number(value), today) })}
      />
      <DayField label="From" className="w-40" value={from} onDay={(day) => setDay('from', day)} />
      <DayField label="To" className="w-40" value={until} onDay={(day) => setDay('until', day)} />
      {teams.length > 0 && (
        <SelectField
          label="Team"
          className="w-44"
          value={search.team ?? ''}
          choices={[
            ['', 'All teams'],
            ['none', 'No team'],
            ...teams.map(({ id, name }) => [String(id), name] as const),
          ]}
          onValue={(value) => {
            const { team: _, ...others } = search;
            show(value === '' ? others : { ...others, team: value });
          }}
        />
      )}
    </search>
  );
}
