import type { TicketPriority } from '@firmdesk/contract';
import { utcToLocal } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { TRADER_LANGUAGE } from '../access/accounts/trader-language.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import { delay } from '../platform/process/delay.ts';
import { startOfDay } from '../platform/search/start-of-day.ts';
import { meterBusinessTime } from '../sla/index.ts';
import { bucketOf } from './durations.ts';
import { ALL_TEAMS, type Dimension, type ReportSettings } from './report.entity.ts';

/** Days as midnights in ms since 1970; `until` is not among them. */
export interface Days {
  from: number;
  until: number;
  /** Whether nothing is counted of them yet. */
  areEmpty: boolean;
}

/** Durations or scores, by bucket. */
type Counts = Map<number, number>;

/** The figures of a day, a team and a value of a dimension. */
class Figures {
  created = 0;
  hours: number[] = [];
  first_responses: Counts = new Map();
  resolutions: Counts = new Map();
  reply_times: Counts = new Map();
  first_response_met = 0;
  first_response_missed = 0;
  resolution_met = 0;
  resolution_missed = 0;
  ended = 0;
  ended_by_assistant = 0;
  ended_after_handover = 0;
  assistant_answers = 0;
  replies = 0;
  uses = 0;
  scores: Counts = new Map();
}

interface CreatedRow {
  created_at: string;
  team_id: number;
  language: string;
  tags: number[];
}

interface EndedRow {
  created_at: string;
  closed_at: string;
  team_id: number;
  assignee_id: string | null;
  priority: TicketPriority;
  waited_seconds: number;
  by_assistant: boolean | null;
  by_team: boolean | null;
}

interface ReplyRow {
  from_kind: 'admin' | 'ai';
  author_id: string | null;
  macros: string[] | null;
  articles: string[] | null;
  created_at: string;
  team_id: number;
  priority: TicketPriority;
  ticket_created_at: string;
  is_first: boolean;
  first_response_seconds: number | null;
  /** When the trader wrote what it answers; null if the message before is not the trader's. */
  asked_at: string | null;
}

interface RatingRow {
  rated_at: string;
  score: number;
  team_id: number;
  assignee_id: string | null;
}

/** Where a figure of all tickets, which can also be one of an agent, counts. */
const ofAgent = (agent: string | null): [Dimension, string][] =>
  agent === null
    ? [['all', '']]
    : [
        ['all', ''],
        ['agent', agent],
      ];

const HOUR_MS = 3_600_000;

/** Rows between two pauses for other work of the process. */
const ROWS_PER_TURN = 500;

/**
 * Counts the figures of days from the tickets of a firm, and stores them instead of what was counted before. Tickets that were merged into others
 * are among the created ones only: they were ended by no answer.
 */
export async function countDays(
  ctx: OperationContext,
  workspaceId: number,
  settings: ReportSettings,
  days: Days,
): Promise<void> {
  const [first, end] = [days.from, days.until].map((day) => startOfDay(dayName(day), settings.timezone));
  const range = sql`${first!}::timestamptz and ${new Date(Date.parse(end!) - 1).toISOString()}::timestamptz`;
  const rows = await readRows(ctx, workspaceId, { first: first!, end: end!, range });
  const counted = new Map<string, Figures>();
  const at = (time: string | number) => utcToLocal(Number(new Date(time)), settings.timezone);
  /** Changes figures of a day: those of the team, and those of all teams. */
  const add = (
    [local, team]: [number, number],
    [dimension, value]: [Dimension, string],
    change: (figures: Figures) => void,
  ) => {
    for (const each of [team, ALL_TEAMS]) {
      const key = JSON.stringify([dayName(local), each, dimension, value]);
      const figures = counted.get(key) ?? new Figures();
      counted.set(key, figures);
      change(figures);
    }
  };
  const starts = [
    ...rows.ended.map((row) => row.created_at),
    ...rows.replies.map((row) => row.asked_at ?? row.ticket_created_at),
    ...rows.replies.map((row) => row.ticket_created_at),
  ];
  const oldest = starts.reduce((min, time) => Math.min(min, Number(new Date(time))), Date.parse(first!));
  const timeBetween = meterBusinessTime(oldest, Date.parse(end!), settings.hours);
  const duration = (from: string, until: string) =>
    bucketOf(timeBetween(Number(new Date(from)), Number(new Date(until))));
  const targetOf = (name: 'first_response' | 'resolution', priority: TicketPriority) =>
    settings.targets?.[priority][`${name}_minutes`] ?? null;

  await inTurns(rows.created, ({ created_at, team_id, language, tags }) => {
    const local = at(created_at);
    add([local, team_id], ['all', ''], (figures) => {
      figures.created++;
      if (figures.hours.length === 0) figures.hours = new Array<number>(24).fill(0);
      figures.hours[Math.floor((local - startOf(local)) / HOUR_MS)]!++;
    });
    const values: [Dimension, string][] = tags.map((tag) => ['tag', String(tag)]);
    for (const value of [...values, ['language', language] as [Dimension, string]])
      add([local, team_id], value, (figures) => figures.created++);
  });
  await inTurns(rows.ended, (row) => {
    const resolution = duration(row.created_at, row.closed_at);
    const target = targetOf('resolution', row.priority);
    const change = (figures: Figures) => {
      figures.ended++;
      count(figures.resolutions, resolution);
      // A ticket that never awaited the team has nothing to meet.
      if (target !== null && row.waited_seconds > 0)
        figures[row.waited_seconds <= target * 60 ? 'resolution_met' : 'resolution_missed']++;
      if (row.by_assistant) figures[row.by_team ? 'ended_after_handover' : 'ended_by_assistant']++;
    };
    for (const value of ofAgent(row.assignee_id)) add([at(row.closed_at), row.team_id], value, change);
  });
  await inTurns(rows.replies, (row) => {
    const place: [number, number] = [at(row.created_at), row.team_id];
    if (row.from_kind === 'ai') {
      add(place, ['all', ''], (figures) => figures.assistant_answers++);
      for (const article of new Set(row.articles))
        add(place, ['article', article], (figures) => figures.uses++);
      return;
    }
    for (const macro of new Set(row.macros)) add(place, ['macro', macro], (figures) => figures.uses++);
    const replyTime = row.asked_at === null ? null : duration(row.asked_at, row.created_at);
    for (const value of ofAgent(row.author_id))
      add(place, value, (figures) => {
        figures.replies++;
        if (replyTime !== null) count(figures.reply_times, replyTime);
      });
    if (!row.is_first) return;
    const response = duration(row.ticket_created_at, row.created_at);
    const target = targetOf('first_response', row.priority);
    add(place, ['all', ''], (figures) => {
      count(figures.first_responses, response);
      if (target !== null && row.first_response_seconds !== null)
        figures[row.first_response_seconds <= target * 60 ? 'first_response_met' : 'first_response_missed']++;
    });
  });
  await inTurns(rows.ratings, ({ rated_at, team_id, assignee_id, score }) => {
    for (const value of ofAgent(assignee_id))
      add([at(rated_at), team_id], value, (figures) => count(figures.scores, score));
  });
  await replaceDays(ctx, workspaceId, days, counted);
}

async function readRows(
  { db }: OperationContext,
  workspaceId: number,
  { first, end, range }: { first: string; end: string; range: ReturnType<typeof sql> },
) {
  const { rows: created } = await sql<CreatedRow>`
    select t.created_at, coalesce(t.team_id, 0) as team_id,
      ${sql.raw(TRADER_LANGUAGE)} as language,
      array(select g.id from ticket_tags x join tags g on g.workspace_id = x.workspace_id and g.id = x.tag_id
        where x.workspace_id = ${workspaceId} and g.workspace_id = ${workspaceId} and x.ticket_id = t.id
          and g.deleted_at is null) as tags
    from tickets t left join trader_profiles p on p.workspace_id = ${workspaceId} and p.user_id = t.trader_id
    left join users u on u.id = t.trader_id
    where t.workspace_id = ${workspaceId} and t.created_at between ${range}`.execute(db);
  const { rows: ended } = await sql<EndedRow>`
    select t.created_at, t.closed_at, coalesce(t.team_id, 0) as team_id, t.assignee_id, t.priority, t.waited_seconds,
      m.by_assistant, m.by_team
    from tickets t cross join lateral (
      select bool_or(from_kind = 'ai' and not internal and not streaming) as by_assistant,
        bool_or(from_kind = 'admin' and not internal or event = 'ai_command') as by_team
      from ticket_messages where workspace_id = ${workspaceId} and ticket_id = t.id) m
    where t.workspace_id = ${workspaceId}
    and t.closed_at between ${range} and t.merged_into is null`.execute(db);
  // A reply is not later than the last message, nor earlier than its ticket unless another was merged into that: so few tickets are read.
  const { rows: replies } = await sql<ReplyRow>`
    select m.from_kind, m.author_id, m.macro_ids as macros, m.article_ids as articles, m.created_at, coalesce(t.team_id, 0) as team_id, t.priority,
      t.created_at as ticket_created_at, t.first_response_seconds,
      m.from_kind = 'admin' and not exists (
        select from ticket_messages e where e.workspace_id = ${workspaceId} and e.ticket_id = t.id
          and (e.created_at, e.id) < (m.created_at, m.id) and e.from_kind = 'admin' and not e.internal) as is_first,
      case when before.from_kind = 'trader' then before.created_at end as asked_at
    from tickets t join ticket_messages m on m.workspace_id = ${workspaceId} and m.ticket_id = t.id
    left join lateral (
      select b.from_kind, b.created_at from ticket_messages b
      where b.workspace_id = ${workspaceId} and b.ticket_id = t.id and m.from_kind = 'admin'
        and (b.created_at, b.id) < (m.created_at, m.id) and not b.internal and not b.streaming and b.from_kind <> 'system'
      order by b.created_at desc, b.id desc limit 1) before on true
    where t.workspace_id = ${workspaceId} and (t.created_at < ${end}::timestamptz or t.id = any(array(
        select merged_into from tickets where workspace_id = ${workspaceId} and merged_into is not null)))
      and t.last_message_at >= ${first}::timestamptz
      and m.created_at between ${range}
      and m.from_kind in ('admin', 'ai') and not m.internal and not m.streaming`.execute(db);
  const { rows: ratings } = await sql<RatingRow>`
    select r.rated_at, r.score, coalesce(t.team_id, 0) as team_id, t.assignee_id
    from ticket_ratings r join tickets t on t.workspace_id = ${workspaceId} and t.id = r.ticket_id
    where r.workspace_id = ${workspaceId} and r.rated_at between ${range}`.execute(db);
  return { created, ended, replies, ratings };
}

/** Handles rows, and lets other work of the process run in between. */
async function inTurns<Row>(rows: readonly Row[], handle: (row: Row) => void): Promise<void> {
  for (let i = 0; i < rows.length; i++) {
    handle(rows[i]!);
    if (i % ROWS_PER_TURN === ROWS_PER_TURN - 1) await delay(0);
  }
}

function count(counts: Counts, bucket: number): void {
  counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
}

/** The rows of a statement. */
const BATCH = 1_000;

async function replaceDays(
  { db }: OperationContext,
  workspaceId: number,
  days: Days,
  counted: ReadonlyMap<string, Figures>,
): Promise<void> {
  if (!days.areEmpty)
    await sql`
      delete from report_days where workspace_id = ${workspaceId}
      and dimension = any ('{all,tag,language,agent,macro,article}')
      and day >= ${dayName(days.from)}::date and day < ${dayName(days.until)}::date`.execute(db);
  const rows = [...counted].map(([key, figures]) => {
    const [day, team, dimension, value] = JSON.parse(key);
    const lists = Object.entries(figures).map(([name, stored]) => [
      name,
      stored instanceof Map ? [...stored].flat() : stored,
    ]);
    return { day, team, dimension, value, ...Object.fromEntries(lists) };
  });
  for (let i = 0; i < rows.length; i += BATCH)
    await sql`
      insert into report_days (workspace_id, dimension, day, team, value, created, hours, first_responses, resolutions,
        reply_times, first_response_met, first_response_missed, resolution_met, resolution_missed, ended, ended_by_assistant,
        ended_after_handover, assistant_answers, replies, uses, scores)
      select ${workspaceId}, r.dimension, r.day, r.team, r.value, r.created, r.hours, r.first_responses, r.resolutions,
        r.reply_times, r.first_response_met, r.first_response_missed, r.resolution_met, r.resolution_missed, r.ended,
        r.ended_by_assistant, r.ended_after_handover, r.assistant_answers, r.replies, r.uses, r.scores
      from jsonb_to_recordset(${JSON.stringify(rows.slice(i, i + BATCH))}::jsonb) as r (dimension text, day date,
        team integer, value text, created integer, hours integer[], first_responses integer[], resolutions integer[],
        reply_times integer[], first_response_met integer, first_response_missed integer, resolution_met integer,
        resolution_missed integer, ended integer, ended_by_assistant integer, ended_after_handover integer,
        assistant_answers integer, replies integer, uses integer, scores integer[])`.execute(db);
}

/** Returns the midnight of a local time. */
export function startOf(local: number): number {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/** Returns the day of a local time, such as `2026-11-27`. */
export function dayName(local: number): string {
  return new Date(local).toISOString().slice(0, 10);
}
