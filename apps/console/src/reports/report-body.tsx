import type { Report } from '@firmdesk/contract';
import type { InboxSearch } from '../inbox/search/inbox-search.ts';
import { Avatar } from '../ui/avatar.tsx';
import { TagBadge } from '../ui/badge.tsx';
import { languageName } from '../ui/display-names.ts';
import { CountChart, DurationChart, type Series } from './report-charts.tsx';
import { answeredThisMonth, type Opens, openTicketsOf, type ReportPart, ticketsOf } from './report-links.ts';
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

/** Returns the function that shows a figure as a link to its tickets; one without tickets has none. */
const linkOf = (report: Report, team: InboxSearch) => (text: string, opens: Opens, part?: ReportPart) =>
  text === NONE ? text : <TicketsLink search={ticketsOf(report, opens, team, part)}>{text}</TicketsLink>;

const assistantAnswers: Opens = { counted: 'replied', more: { replied_by: 'assistant' } };

/** All parts of a report. `team` is the filter of their tickets. */
export function ReportBody({ report, team }: { report: Report; team: InboxSearch }) {
  const { days, hours, weekdays, backlog, allowance } = report;
  const now = Date.now();
  const link = linkOf(report, team);
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
              link(formatCount(each.created), { counted: 'created' }, { day: i }),
              link(formatCount(each.ended), { counted: 'ended' }, { day: i }),
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
          rows={days.map((each, i) => ({
            key: each.day,
            cells: [
              each.day,
              link(formatMinutes(each.first_response), { counted: 'first_reply' }, { day: i }),
              link(formatMinutes(each.resolution), { counted: 'ended' }, { day: i }),
            ],
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
            cells: [
              hourLabel(i),
              link(formatCount(count), { counted: 'created', more: { hour: String(i) } }),
            ],
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
            cells: [
              weekdayLabels[i],
              link(formatCount(count), {
                counted: 'created',
                more: { weekday: weekdayLabels[i]!.toLowerCase() },
              }),
            ],
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
            <TicketsLink search={answeredThisMonth(now)}>{formatCount(allowance.used)}</TicketsLink> of{' '}
            {formatCount(allowance.limit)} replies of this month’s allowance are used.
          </p>
          <p className="mt-1 text-muted">
            {link(formatCount(report.current.assistant_answers), assistantAnswers)} answers in the period,{' '}
            {link(formatCount(report.previous.assistant_answers), assistantAnswers, 'before')} in the one
            before.
          </p>
        </Part>
      </div>
      <Lists report={report} team={team} />
    </div>
  );
}

function Summary({ report, team }: { report: Report; team: InboxSearch }) {
  const link = linkOf(report, team);
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      {summaryOf(report).map(({ label, value, previous, change, hint, opens, hintOpens }) => (
        <div key={label} className="rounded-lg border border-line bg-surface p-3">
          <dt className="text-xs text-muted">{label}</dt>
          <dd className="text-xl font-semibold">{link(value, opens)}</dd>
          <dd className="text-xs text-muted">
            {previous === NONE ? 'No figure before' : <>{link(previous, opens, 'before')} before</>}
            {change && `, ${change}`}
          </dd>
          {hint && <dd className="text-xs text-muted">{hintOpens ? link(hint, hintOpens) : hint}</dd>}
        </div>
      ))}
    </dl>
  );
}

const compared = (first: string) => [first, 'Count', 'Before', 'Change'];

function Lists({ report, team }: { report: Report; team: InboxSearch }) {
  const { tags, teams, languages, agents, macros, articles } = report;
  const link = linkOf(report, team);
  const comparedCells = ({ count, previous }: { count: number; previous: number }, opens: Opens) => [
    link(formatCount(count), opens),
    link(formatCount(previous), opens, 'before'),
    formatChange(count, previous),
  ];
  const repliesOf = (agent: string): Opens => ({ counted: 'replied', more: { replied_by: agent } });
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
              link(formatCount(agent.replies), repliesOf(agent.id)),
              link(formatCount(agent.previous_replies), repliesOf(agent.id), 'before'),
              link(formatCount(agent.ended), { counted: 'ended', more: { assignee: agent.id } }),
              link(formatMinutes(agent.reply_time.median), repliesOf(agent.id)),
              link(formatMinutes(agent.reply_time.p90), repliesOf(agent.id)),
              link(formatScore(agent.scores), { counted: 'rated', more: { assignee: agent.id } }),
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
              ...comparedCells(tag, { counted: 'created', more: { tag: String(tag.id) } }),
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
              ...comparedCells(each, { counted: 'created', more: { team: String(each.id ?? 'none') } }),
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
              ...comparedCells(each, { counted: 'created', more: { language: each.language || 'none' } }),
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
            cells: [each.name, ...comparedCells(each, { counted: 'replied', more: { macro: each.id } })],
          }))}
        />
      </Part>
      <Part title="Articles">
        <FigureTable
          caption="Replies of the assistant by the article that they are based on"
          columns={compared('Article')}
          rows={articles.map((each) => ({
            key: each.id,
            cells: [each.title, ...comparedCells(each, { counted: 'replied', more: { article: each.id } })],
          }))}
        />
      </Part>
    </div>
  );
}
