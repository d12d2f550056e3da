import type { Report, ReportFigures, ReportInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import { startOfDay } from '../platform/search/start-of-day.ts';
import { dayName } from './count-days.ts';
import { readReportSettings } from './count-firm.ts';
import { durationsIn, numbersIn, quantile, scoresIn } from './durations.ts';
import type { FirmContext, Period } from './period.ts';
import { readListed } from './read-listed.ts';
import { readAllowance, readOpen } from './read-open.ts';
import { ALL_TEAMS } from './report.entity.ts';

const COUNTED = [
  'created',
  'ended',
  'ended_by_assistant',
  'ended_after_handover',
  'assistant_answers',
  'replies',
  'first_response_met',
  'first_response_missed',
  'resolution_met',
  'resolution_missed',
] as const;
const LISTED = ['hours', 'first_responses', 'resolutions', 'reply_times', 'scores'] as const;

/** The figures of a day. Lists are texts, as those of agents, which are joined over days. */
type DayRow = { day: string } & Record<(typeof COUNTED)[number], number> &
  Record<(typeof LISTED)[number], string>;

/** Returns the figures of a period and of the one before, which a job has counted from the tickets. */
export async function getReport(ctx: FirmContext, { from, until, team }: ReportInput): Promise<Report> {
  const length = (Date.parse(until) - Date.parse(from)) / DAY_MS + 1;
  const teamId = team === undefined ? undefined : team === 'none' ? 0 : Number(team);
  const period: Period = {
    workspaceId: ctx.workspace.id,
    from,
    until,
    previousFrom: dayName(Date.parse(from) - length * DAY_MS),
    previousUntil: dayName(Date.parse(from) - DAY_MS),
    ofTeam: sql`team = ${teamId ?? ALL_TEAMS}`,
    eachTeam: teamId === undefined ? sql`team >= 0` : sql`team = ${teamId}`,
    ofTickets: teamId === undefined ? sql`true` : sql`coalesce(team_id, 0) = ${teamId}`,
  };
  const { timezone } = await readReportSettings(ctx, ctx.workspace.id);
  const days = await readDays(ctx, period);
  const current = days.filter(({ day }) => day >= from);
  const open = await readOpen(ctx, period);
  return {
    object: 'report',
    from,
    until,
    previous_from: period.previousFrom,
    previous_until: period.previousUntil,
    timezone,
    previous_starts_at: startOfDay(period.previousFrom, timezone),
    ends_at: startOfDay(dayName(Date.parse(until) + DAY_MS), timezone),
    counted_at: await readCountedAt(ctx),
    current: figuresOf(current),
    previous: figuresOf(days.filter(({ day }) => day < from)),
    days: chartOf(current, { from, length, timezone }),
    ...volumeOf(current),
    ...(await readListed(ctx, period, open)),
    backlog: open.backlog,
    allowance: await readAllowance(ctx),
  };
}

async function readCountedAt({ db, workspace }: FirmContext): Promise<string | null> {
  const { rows } = await sql<{ counted_at: string }>`
    select counted_at from report_progress where workspace_id = ${workspace.id}`.execute(db);
  return rows[0] ? new Date(rows[0].counted_at).toISOString() : null;
}

async function readDays(
  { db }: OperationContext,
  { workspaceId, previousFrom, until, ofTeam }: Period,
): Promise<DayRow[]> {
  const columns = [
    ...COUNTED.map((name) => sql.ref(name)),
    ...LISTED.map((name) => sql`array_to_string(${sql.ref(name)}, ',') as ${sql.ref(name)}`),
  ];
  const { rows } = await sql<DayRow>`
    select day::text as day, ${sql.join(columns)} from report_days
    where workspace_id = ${workspaceId} and dimension = 'all'
      and day between ${previousFrom}::date and ${until}::date and ${ofTeam}
    order by day`.execute(db);
  return rows;
}

function figuresOf(days: readonly DayRow[]): ReportFigures {
  const sum = (name: (typeof COUNTED)[number]) => days.reduce((total, day) => total + day[name], 0);
  const listed = (name: (typeof LISTED)[number]) => days.map((day) => day[name]);
  return {
    created: sum('created'),
    ended: sum('ended'),
    ended_by_assistant: sum('ended_by_assistant'),
    ended_after_handover: sum('ended_after_handover'),
    assistant_answers: sum('assistant_answers'),
    replies: sum('replies'),
    first_response: {
      ...durationsIn(listed('first_responses')),
      met: sum('first_response_met'),
      missed: sum('first_response_missed'),
    },
    resolution: {
      ...durationsIn(listed('resolutions')),
      met: sum('resolution_met'),
      missed: sum('resolution_missed'),
    },
    reply_time: durationsIn(listed('reply_times')),
    scores: scoresIn(listed('scores')),
  };
}

/** Returns every day of the period, also those on which nothing happened. */
function chartOf(
  days: readonly DayRow[],
  { from, length, timezone }: { from: string; length: number; timezone: string },
): Report['days'] {
  const rows = new Map(days.map((row) => [row.day, row]));
  return Array.from({ length }, (_, i) => {
    const day = dayName(Date.parse(from) + i * DAY_MS);
    const row = rows.get(day);
    return {
      day,
      starts_at: startOfDay(day, timezone),
      created: row?.created ?? 0,
      ended: row?.ended ?? 0,
      first_response: row ? quantile(numbersIn([row.first_responses]), 0.5) : null,
      resolution: row ? quantile(numbersIn([row.resolutions]), 0.5) : null,
    };
  });
}

function volumeOf(days: readonly DayRow[]): Pick<Report, 'hours' | 'weekdays'> {
  const hours = new Array<number>(24).fill(0);
  const weekdays = new Array<number>(7).fill(0);
  for (const { day, created, hours: listed } of days) {
    numbersIn([listed]).forEach((count, i) => {
      hours[i % 24]! += count;
    });
    weekdays[(new Date(day).getUTCDay() + 6) % 7]! += created;
  }
  return { hours, weekdays };
}
