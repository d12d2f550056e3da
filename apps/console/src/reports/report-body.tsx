import type { Report } from '@firmdesk/contract';
import type { InboxSearch } from '../inbox/search/inbox-search.ts';
import { Avatar } from '../ui/avatar.tsx';
import { TagBadge } from '../ui/badge.tsx';
import { languageName } from '../ui/display-names.ts';
import { CountChart, DurationChart, type Series } from './report-charts.tsx';
import { openTicketsOf, ticketsOf } from './report-links.ts';
import { ChartPart, FigureTable, Part, TicketsLink } from './report-part.tsx';
import {
  ageLabel,
  dayLabel,
  formatChange,
  formatCount,
  formatMinutes,
  formatScore,
  hourLabel,
  NONE,
  summaryOf,
  weekdayLabels,
} from './report-texts.ts';

const created: Series = { name: 'created', label: 'Created', color: 'accent' };
const ended: Series = { name: 'ended', label: 'Resolved', color: 'muted' };
const durations: Series[] = [
  { name: 'first_response', label: 'First response', color: 'accent' },
  { name: 'resolution', label: 'Resolution', color: 'muted' },
];

/** Returns how many tickets were created, as a link to those with filters. */
const createdIn = (report: Report, team: InboxSearch) => (count: number, more: InboxSearch) => (
  <TicketsLink search={ticketsOf(report, 'created', { ...team, ...more })}>{formatCount(count)}</TicketsLink>
);

/** All parts of a report. `team` is the filter of their tickets. */
export function ReportBody({ report, team }: { report: Report; team: InboxSearch }) {
  const { days, hours, weekdays, backlog, allowance } = report;
  const now = Date.now();
  const createdLink = createdIn(report, team);
  return (
    <div className="space-y-4">
      <Summary report={report} team={team} />
      <div className="grid gap-4 lg:grid-cols-2">
        <ChartPart
          title="Tickets by day"
          chart={
            <CountChart
              rows={days.map((each) => ({ ...each, label: dayLabel(each.day) }))}
              series={[created, ended]}
            />
          }
          columns={['Day', 'Created', 'Resolved']}
          rows={days.map((each, i) => ({
            key: each.day,
            cells: [
              each.day,
              <TicketsLink key="created" search={ticketsOf(report, 'created', team, i)}>
                {formatCount(each.created)}
              </TicketsLink>,
              <TicketsLink key="ended" search={ticketsOf(report, 'ended', team, i)}>
                {formatCount(each.ended)}
              </TicketsLink>,
            ],
          }))}
        />
        <ChartPart
          title="Median durations by day"
          hint="In business hours"
          chart={
            <DurationChart
              rows={days.map((each) => ({ ...each, label: dayLabel(each.day) }))}
              series={durations}
            />
          }
          columns={['Day', 'First response', 'Resolution']}
          rows={days.map((each) => ({
            key: each.day,
            cells: [each.day, formatMinutes(each.first_response), formatMinutes(each.resolution)],
          }))}
        />
        <ChartPart
          title="Created by hour"
          chart={
            <CountChart
              rows={hours.map((count, i) => ({ label: hourLabel(i), created: count }))}
              series={[created]}
            />
          }
          columns={['Hour', 'Created']}
          rows={hours.map((count, i) => ({
            key: hourLabel(i),
            cells: [hourLabel(i), createdLink(count, { hour: String(i) })],
          }))}
        />
        <ChartPart
          title="Created by weekday"
          chart={
            <CountChart
              rows={weekdays.map((count, i) => ({ label: weekdayLabels[i]!, created: count }))}
              series={[created]}
            />
          }
          columns={['Weekday', 'Created']}
          rows={weekdays.map((count, i) => ({
            key: weekdayLabels[i]!,
            cells: [weekdayLabels[i], createdLink(count, { weekday: weekdayLabels[i]!.toLowerCase() })],
          }))}
        />
        <ChartPart
          title="Open tickets by age"
          hint="Now"
          chart={
            <CountChart
              rows={backlog.map(({ count }, i) => ({ label: ageLabel(backlog, i), open: count }))}
              series={[{ name: 'open', label: 'Open', color: 'accent' }]}
            />
          }
          columns={['Age', 'Open']}
          rows={backlog.map(({ count }, i) => ({
            key: ageLabel(backlog, i),
            cells: [
              ageLabel(backlog, i),
              <TicketsLink key="open" search={openTicketsOf(backlog, i, now, team)}>
                {formatCount(count)}
              </TicketsLink>,
            ],
          }))}
        />
        <Part title="Assistant">
          <p>
            {formatCount(allowance.used)} of {formatCount(allowance.limit)} replies of this month’s allowance
            are used.
          </p>
          <p className="mt-1 text-muted">
            {formatCount(report.current.assistant_answers)} answers in the period,{' '}
            {formatCount(report.previous.assistant_answers)} in the one before.
          </p>
        </Part>
      </div>
      <Lists report={report} team={team} />
    </div>
  );
}

function Summary({ report, team }: { report: Report; team: InboxSearch }) {
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      {summaryOf(report).map(({ label, value, previous, change, hint, opens }) => (
        <div key={label} className="rounded-lg border border-line bg-surface p-3">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-xl font-semibold">
            {opens ? <TicketsLink search={ticketsOf(report, opens, team)}>{value}</TicketsLink> : value}
          </dd>
          <dd className="text-xs text-muted">
            {previous === NONE ? 'No figure before' : `${previous} before`}
            {change && `, ${change}`}
          </dd>
          {hint && <dd className="text-xs text-muted">{hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

const compared = (first: string) => [first, 'Count', 'Before', 'Change'];
const comparedCells = ({ count, previous }: { count: number; previous: number }) =>
  [formatCount(previous), formatChange(count, previous)] as const;

function Lists({ report, team }: { report: Report; team: InboxSearch }) {
  const { tags, teams, languages, agents, macros } = report;
  const link = createdIn(report, team);
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Part
        title="Agents"
        hint="Open tickets are those of now. Durations are from the trader’s last message to the reply. Ratings are those of the agent’s tickets."
      >
        <FigureTable
          caption="Agents"
          columns={['Agent', 'Replies', 'Before', 'Resolved', 'Reply, median', 'p90', 'Satisfaction', 'Open']}
          rows={agents.map((agent) => ({
            key: agent.id,
            cells: [
              <span key="name" className="flex items-center gap-2">
                <Avatar name={agent.name} url={agent.avatar_url} size="small" />
                {agent.name}
              </span>,
              formatCount(agent.replies),
              formatCount(agent.previous_replies),
              <TicketsLink key="ended" search={ticketsOf(report, 'ended', { ...team, assignee: agent.id })}>
                {formatCount(agent.ended)}
              </TicketsLink>,
              formatMinutes(agent.reply_time.median),
              formatMinutes(agent.reply_time.p90),
              formatScore(agent.scores),
              <TicketsLink
                key="open"
                search={{ status: 'open', snoozed: 'all', ...team, assignee: agent.id }}
              >
                {formatCount(agent.open)}
              </TicketsLink>,
            ],
          }))}
        />
      </Part>
      <Part title="Tags">
        <FigureTable
          caption="Created tickets by tag"
          columns={compared('Tag')}
          rows={tags.map((tag) => ({
            key: String(tag.id),
            cells: [
              <TagBadge key="name" name={tag.name} color={tag.color} />,
              link(tag.count, { tag: String(tag.id) }),
              ...comparedCells(tag),
            ],
          }))}
        />
      </Part>
      <Part title="Teams">
        <FigureTable
          caption="Created tickets by team"
          columns={compared('Team')}
          rows={teams.map((each) => ({
            key: String(each.id),
            cells: [
              each.name ?? 'No team',
              link(each.count, { team: String(each.id ?? 'none') }),
              ...comparedCells(each),
            ],
          }))}
        />
      </Part>
      <Part title="Languages">
        <FigureTable
          caption="Created tickets by the trader’s language"
          columns={compared('Language')}
          rows={languages.map((each) => ({
            key: each.language,
            cells: [
              languageName(each.language) || 'Unknown',
              link(each.count, { language: each.language || 'none' }),
              ...comparedCells(each),
            ],
          }))}
        />
      </Part>
      <Part title="Macros">
        <FigureTable
          caption="Replies by the macro that they were written from"
          columns={compared('Macro')}
          rows={macros.map((each) => ({
            key: each.id,
            cells: [each.name, formatCount(each.count), ...comparedCells(each)],
          }))}
        />
      </Part>
    </div>
  );
}
