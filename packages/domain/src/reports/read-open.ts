import type { Report } from '@firmdesk/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../platform/process/clock.ts';
import type { FirmContext, Period } from './period.ts';

/** The ages of open tickets, in days. */
const AGES = [0, 1, 3, 7, 14, 30];

/** The open tickets by age, and those of each agent. */
export interface OpenTickets {
  backlog: Report['backlog'];
  byAgent: ReadonlyMap<string, number>;
}

/** Counts the tickets that are open now, in one pass. */
export async function readOpen(
  { db, now, workspace }: FirmContext,
  { ofTickets }: Period,
): Promise<OpenTickets> {
  // A ticket of another process may be newer than now, so the last age has no beginning.
  const bounds = AGES.slice(1)
    .map((days) => new Date(now.getTime() - days * DAY_MS).toISOString())
    .reverse();
  const { rows } = await sql<{ agent: string | null; younger: number; count: number }>`
    select assignee_id as agent, width_bucket(created_at, ${bounds}::timestamptz[]) as younger, count(*)::integer as count
    from tickets
    where workspace_id = ${workspace.id} and queue_rank <= 5 and ${ofTickets} group by 1, 2`.execute(db);
  const sum = (counted: typeof rows) => counted.reduce((total, { count }) => total + count, 0);
  const byAge = Map.groupBy(rows, ({ younger }) => younger);
  const byAgent = Map.groupBy(rows, ({ agent }) => agent);
  byAgent.delete(null);
  return {
    backlog: AGES.map((min_days, i) => ({ min_days, count: sum(byAge.get(bounds.length - i) ?? []) })),
    byAgent: new Map([...byAgent].map(([agent, counted]) => [agent!, sum(counted)])),
  };
}

/** Returns what is used of the assistant's allowance of this month. */
export async function readAllowance({ db, now, workspace }: FirmContext): Promise<Report['allowance']> {
  const { rows } = await sql<Report['allowance']>`
    select assistant_monthly_allowance as "limit", coalesce((
      select used from assistant_usage where workspace_id = ${workspace.id}
        and month = ${`${now.toISOString().slice(0, 7)}-01`}::date), 0) as used
    from workspaces where id = ${workspace.id}`.execute(db);
  return rows[0]!;
}
