import type { BusinessHours, SlaPolicySettings } from '@firmdesk/contract';
import type { Pool } from 'pg';
import { bucketEnds } from '../durations.ts';

/** The figures of a report, counted by one statement over the tickets themselves. `open` has the business hours as intervals. */
const RECOUNT = `
  with open as (
    select (day + (i ->> 'from')::time) at time zone $4 as opens,
      (day + (i ->> 'to')::interval) at time zone $4 as closes
    from generate_series($2::timestamp - interval '60 days', $3::timestamp + interval '2 days', interval '1 day') day,
      jsonb_array_elements($5::jsonb -> 'week' -> trim(to_char(day, 'day'))) i
    where not ($5::jsonb -> 'holidays' ? to_char(day, 'YYYY-MM-DD'))),
  tickets_ as (
    select t.*, coalesce(team_id, 0) as team from tickets t
    where workspace_id = $1 and ($6::integer is null or coalesce(team_id, 0) = $6)),
  created as (
    select *, created_at at time zone $4 as local from tickets_
    where (created_at at time zone $4)::date between $2::date and $3::date),
  ended as (
    select *, exists (select from ticket_messages m where m.workspace_id = $1 and m.ticket_id = t.id and from_kind = 'ai'
        and not internal) as ai,
      exists (select from ticket_messages m where m.workspace_id = $1 and m.ticket_id = t.id
        and (from_kind = 'admin' and not internal or event = 'ai_command')) as team_wrote,
      ($7::jsonb -> priority ->> 'resolution_minutes')::integer * 60 as target
    from tickets_ t where merged_into is null and (closed_at at time zone $4)::date between $2::date and $3::date),
  conversation as (
    select m.*, t.created_at as opened_at, t.first_response_seconds, t.priority,
      lag(m.from_kind) over w as before_kind, lag(m.created_at) over w as before_at,
      row_number() over (partition by m.ticket_id, m.from_kind order by m.created_at, m.id) as nth
    from ticket_messages m join tickets_ t on t.id = m.ticket_id
    where m.workspace_id = $1 and not m.internal and m.from_kind <> 'system'
    window w as (partition by m.ticket_id order by m.created_at, m.id)),
  written as (select * from conversation where (created_at at time zone $4)::date between $2::date and $3::date),
  firsts as (
    select *, ($7::jsonb -> priority ->> 'first_response_minutes')::integer * 60 as target
    from written where from_kind = 'admin' and nth = 1),
  spans as (
    select 'resolution' as kind, '' as agent, created_at as a, closed_at as b from ended
    union all select 'first_response', '', opened_at, created_at from firsts
    union all select 'reply_time', '', before_at, created_at from written where from_kind = 'admin' and before_kind = 'trader'
    union all select 'agent', author_id, before_at, created_at from written where from_kind = 'admin' and before_kind = 'trader'),
  taken as (
    select kind, agent, case when $5::jsonb = 'null' then extract(epoch from b - a) else coalesce((
      select sum(extract(epoch from least(closes, b) - greatest(opens, a))) from open where opens < b and closes > a), 0) end as seconds
    from spans),
  durations as (
    select kind, agent, count(*) as count, percentile_disc(0.5) within group (order by seconds) as median,
      percentile_disc(0.9) within group (order by seconds) as p90 from taken group by kind, agent)
  select jsonb_build_object(
    'created', (select count(*) from created),
    'hours', (select jsonb_agg((select count(*) from created where extract(hour from local) = h) order by h) from generate_series(0, 23) h),
    'weekdays', (select jsonb_agg((select count(*) from created where extract(isodow from local) = d) order by d) from generate_series(1, 7) d),
    'days', (select jsonb_object_agg(day, n) from (select local::date::text as day, count(*) as n from created group by 1) x),
    'tags', (select jsonb_object_agg(g.id, (select count(*) from created c join ticket_tags x on x.workspace_id = $1
        and x.ticket_id = c.id and x.tag_id = g.id)) from tags g where g.workspace_id = $1 and g.deleted_at is null),
    'languages', (select jsonb_object_agg(language, n) from (
        select split_part(lower(coalesce(p.language, u.language)), '-', 1) as language, count(*) as n from created c
        join users u on u.id = c.trader_id left join trader_profiles p on p.workspace_id = $1 and p.user_id = c.trader_id group by 1) x),
    'teams', (select jsonb_object_agg(team, n) from (select team, count(*) as n from created group by 1) x),
    'scores', (select jsonb_agg((select count(*) from ticket_ratings r join tickets_ t on t.id = r.ticket_id where r.workspace_id = $1
        and r.score = s and (r.rated_at at time zone $4)::date between $2::date and $3::date) order by s) from generate_series(1, 5) s),
    'agent_scores', (select jsonb_object_agg(assignee_id, scores) from (
        select t.assignee_id, jsonb_agg((select count(*) from ticket_ratings r join tickets_ x on x.id = r.ticket_id
          where r.workspace_id = $1 and x.assignee_id = t.assignee_id and r.score = s
            and (r.rated_at at time zone $4)::date between $2::date and $3::date) order by s) as scores
        from (select distinct assignee_id from tickets_ where assignee_id is not null) t, generate_series(1, 5) s group by 1) x),
    'ended', (select count(*) from ended),
    'ended_by_assistant', (select count(*) from ended where ai and not team_wrote),
    'ended_after_handover', (select count(*) from ended where ai and team_wrote),
    'assistant_answers', (select count(*) from written where from_kind = 'ai'),
    'replies', (select count(*) from written where from_kind = 'admin'),
    'resolution_met', (select count(*) from ended where waited_seconds > 0 and waited_seconds <= target),
    'resolution_missed', (select count(*) from ended where waited_seconds > 0 and waited_seconds > target),
    'first_response_met', (select count(*) from firsts where first_response_seconds <= target),
    'first_response_missed', (select count(*) from firsts where first_response_seconds > target),
    'macros', (select jsonb_object_agg(m.id, (select count(*) from written w where w.from_kind = 'admin' and m.id = any(w.macro_ids)))
        from macros m where m.workspace_id = $1),
    'articles', (select jsonb_object_agg(a.id, (select count(*) from written w where w.from_kind = 'ai' and a.id = any(w.article_ids)))
        from knowledge_articles a where a.workspace_id = $1),
    'agents', (select jsonb_object_agg(author_id, n) from (
        select author_id, count(*) as n from written where from_kind = 'admin' and author_id is not null group by 1) x),
    'durations', (select jsonb_agg(d) from durations d)) as counted`;

interface Counted extends Record<string, unknown> {
  agent_scores: Record<string, number[]> | null;
  durations: { kind: string; agent: string | null; count: number; median: number; p90: number }[] | null;
}

/** Counts what a report of the days has, by plain SQL. */
export async function recount(
  pool: Pool,
  workspaceId: number,
  {
    from,
    until,
    team,
    timezone,
    hours,
    targets,
  }: {
    from: string;
    until: string;
    team: number | null;
    timezone: string;
    hours: BusinessHours | null;
    targets: SlaPolicySettings['targets'] | null;
  },
) {
  const { rows } = await pool.query<{ counted: Counted }>(RECOUNT, [
    workspaceId,
    from,
    until,
    timezone,
    JSON.stringify(hours),
    team,
    JSON.stringify(targets ?? {}),
  ]);
  const { durations, agent_scores, ...counted } = rows[0]!.counted;
  const ofKind = (kind: string, agent = '') => {
    const found = durations?.find((each) => each.kind === kind && each.agent === agent);
    return found
      ? { count: found.count, median: inBucket(found.median), p90: inBucket(found.p90) }
      : { count: 0, median: null, p90: null };
  };
  return { counted, ofKind, scoresOf: agent_scores ?? {} };
}

/** The end of the bucket of a duration, in minutes. */
function inBucket(seconds: number): number {
  return bucketEnds.find((end) => seconds <= end * 60)!;
}
