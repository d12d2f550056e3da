import type { Report } from '@firmdesk/contract';
import { sql } from 'kysely';
import { avatarUrl, selectAvatar } from '../access/accounts/avatar.ts';
import { durationsIn, scoresIn } from './durations.ts';
import type { FirmContext, Period } from './period.ts';
import type { OpenTickets } from './read-open.ts';

/** The longest list. */
const MAX_LISTED = 100;

/** Returns the figures by tag, language, team, macro, article and agent. Those of what was deleted are left out. */
export async function readListed(
  ctx: FirmContext,
  period: Period,
  open: OpenTickets,
): Promise<Pick<Report, 'tags' | 'languages' | 'teams' | 'macros' | 'articles' | 'agents'>> {
  return {
    tags: await readTags(ctx, period),
    languages: await readLanguages(ctx, period),
    teams: await readTeams(ctx, period),
    macros: await readMacros(ctx, period),
    articles: await readArticles(ctx, period),
    agents: await readAgents(ctx, period, open),
  };
}

/** The columns that compare the sum of a column with the period before. */
const compared = (column: string, { from }: Period) => sql`
  coalesce(sum(${sql.ref(column)}) filter (where day >= ${from}::date), 0)::integer as count,
  coalesce(sum(${sql.ref(column)}) filter (where day < ${from}::date), 0)::integer as previous`;

/** The condition on the rows of a dimension in both periods. */
const inPeriods = (dimension: string, { workspaceId, previousFrom, until, ofTeam }: Period) => sql`
  workspace_id = ${workspaceId} and dimension = ${dimension}
  and day between ${previousFrom}::date and ${until}::date and ${ofTeam}`;

const largest = sql`order by f.count desc, f.previous desc, f.value limit ${MAX_LISTED}`;

async function readTags({ db, workspace }: FirmContext, period: Period): Promise<Report['tags']> {
  const { rows } = await sql<Report['tags'][number]>`
    select g.id, g.name, g.color, f.count, f.previous from (
      select value, ${compared('created', period)} from report_days where ${inPeriods('tag', period)} group by value) f
    join tags g on g.workspace_id = ${workspace.id} and g.id = f.value::integer and g.deleted_at is null
    ${largest}`.execute(db);
  return rows;
}

async function readLanguages({ db }: FirmContext, period: Period): Promise<Report['languages']> {
  const { rows } = await sql<Report['languages'][number]>`
    select f.value as language, f.count, f.previous from (
      select value, ${compared('created', period)} from report_days where ${inPeriods('language', period)} group by value) f
    ${largest}`.execute(db);
  return rows;
}

async function readTeams({ db, workspace }: FirmContext, period: Period): Promise<Report['teams']> {
  const { rows } = await sql<Report['teams'][number]>`
    select t.id, t.name, f.count, f.previous from (
      select team as value, ${compared('created', period)} from report_days
      where workspace_id = ${workspace.id} and dimension = 'all'
        and day between ${period.previousFrom}::date and ${period.until}::date
        and ${period.eachTeam}
      group by team) f
    left join teams t on t.workspace_id = ${workspace.id} and t.id = f.value
    where f.value = 0 or t.id is not null ${largest}`.execute(db);
  return rows;
}

async function readMacros({ db, workspace }: FirmContext, period: Period): Promise<Report['macros']> {
  const { rows } = await sql<Report['macros'][number]>`
    select m.id, m.name, f.count, f.previous from (
      select value, ${compared('uses', period)} from report_days where ${inPeriods('macro', period)} group by value) f
    join macros m on m.workspace_id = ${workspace.id} and m.id = f.value ${largest}`.execute(db);
  return rows;
}

async function readArticles({ db, workspace }: FirmContext, period: Period): Promise<Report['articles']> {
  const { rows } = await sql<Report['articles'][number]>`
    select a.id, a.title, f.count, f.previous from (
      select value, ${compared('uses', period)} from report_days where ${inPeriods('article', period)} group by value) f
    join knowledge_articles a on a.workspace_id = ${workspace.id} and a.id = f.value ${largest}`.execute(db);
  return rows;
}

interface AgentRow {
  id: string;
  name: string;
  avatar: string | null;
  open: number;
  count: number;
  previous: number;
  ended: number;
  reply_times: string | null;
  scores: string | null;
}

/** Also lists agents who only have open tickets. */
async function readAgents(
  { db, services }: FirmContext,
  period: Period,
  { byAgent }: OpenTickets,
): Promise<Report['agents']> {
  const { rows } = await sql<AgentRow>`
    with counted as (
      select value, ${compared('replies', period)},
        coalesce(sum(ended) filter (where day >= ${period.from}::date), 0)::integer as ended,
        string_agg(nullif(array_to_string(reply_times, ','), ''), ',') filter (where day >= ${period.from}::date) as reply_times,
        string_agg(nullif(array_to_string(scores, ','), ''), ',') filter (where day >= ${period.from}::date) as scores
      from report_days where ${inPeriods('agent', period)} group by value),
    assigned as (
      select * from unnest(${[...byAgent.keys()]}::text[], ${[...byAgent.values()]}::integer[]) as o (value, open)),
    f as (
      select value, coalesce(c.count, 0) as count, coalesce(c.previous, 0) as previous, coalesce(c.ended, 0) as ended,
        c.reply_times, c.scores, coalesce(a.open, 0) as open
      from counted c full join assigned a using (value))
    select u.id, u.name, ${sql.raw(selectAvatar('u'))} as avatar, f.open, f.count, f.previous, f.ended, f.reply_times,
      f.scores
    from f join users u on u.id = f.value and u.deleted_at is null ${largest}`.execute(db);
  return rows.map(({ id, name, avatar, open, count, previous, ended, reply_times, scores }) => ({
    id,
    name,
    avatar_url: avatarUrl(services, avatar),
    open,
    replies: count,
    previous_replies: previous,
    ended,
    reply_time: durationsIn([reply_times]),
    scores: scoresIn([scores]),
  }));
}
