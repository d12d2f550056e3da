import type { Report } from '@firmdesk/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../platform/process/clock.ts';
import type { FirmContext, Period } from './period.ts';

/** The ages of open tickets, in days. */
const AGES = [0, 1, 3, 7, 14, 30];

/** Returns what is so now: the ages of the open tickets, and what is used of the assistant's allowance. */
export async function readOpen(
  { db, now, workspace }: FirmContext,
  { ofTickets }: Period,
): Promise<Pick<Report, 'backlog' | 'allowance'>> {
  const starts = AGES.map((days) => new Date(now.getTime() - days * DAY_MS).toISOString());
  const { rows } = await sql<{ age: number; count: number }>`
    select (select count(*) from unnest(${starts}::timestamptz[]) s where t.created_at <= s)::integer as age,
      count(*)::integer as count
    from tickets t where t.workspace_id = ${workspace.id} and t.queue_rank <= 5 and ${ofTickets} group by 1`.execute(
    db,
  );
  // A ticket of another process may be newer than now.
  const counted = Map.groupBy(rows, ({ age }) => Math.max(age - 1, 0));
  const { rows: allowances } = await sql<{ used: number; limit: number }>`
    select assistant_monthly_allowance as "limit", coalesce((
      select used from assistant_usage where workspace_id = ${workspace.id}
        and month = ${`${now.toISOString().slice(0, 7)}-01`}::date), 0) as used
    from workspaces where id = ${workspace.id}`.execute(db);
  return {
    backlog: AGES.map((min_days, i) => ({
      min_days,
      count: (counted.get(i) ?? []).reduce((sum, { count }) => sum + count, 0),
    })),
    allowance: allowances[0]!,
  };
}
