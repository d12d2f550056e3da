import type { Pool } from 'pg';
import { batchCalls } from '../database/batch-calls.ts';
import { firmOfJob, type JobRequest } from './jobs.ts';

/** The condition that the firm of a job request, or the firm of which it is the sandbox, is not suspended. Takes an SQL expression for its id. */
export function isServed(workspace: string): string {
  return `not exists (select from workspaces h join workspaces s on s.id = coalesce(h.sandbox_of, h.id)
    where h.id = ${workspace} and s.suspended_at is not null)`;
}

/** Returns a function that tells whether a firm is served. Jobs that start together share one statement. */
export function servedFirms(pool: Pool): (key: string, firm: number) => Promise<boolean> {
  return batchCalls(async (firms) => {
    const { rows } = await pool.query<{ id: number }>({
      name: 'served-firms',
      text: `select firm.id from unnest($1::integer[]) as firm (id) where ${isServed('firm.id')}`,
      values: [firms],
    });
    const served = new Set(rows.map(({ id }) => id));
    return firms.map((id) => served.has(id));
  });
}

/**
 * Requests a job again if its firm is suspended: the request waits until the firm is resumed, like those that were not moved into the
 * queue yet. Returns whether it did.
 */
export async function postponeIfSuspended(
  pool: Pool,
  isFirmServed: ReturnType<typeof servedFirms>,
  { task, payload, maxAttempts, key, priority }: JobRequest,
): Promise<boolean> {
  const firm = firmOfJob(payload);
  if (firm === null) return false;
  if (await isFirmServed(String(firm), firm)) return false;
  await pool.query(
    `insert into job_requests (workspace_id, task, payload, run_at, max_attempts, key, priority)
     values ($1, $2, $3::json, now(), $4, $5, $6)`,
    [firm, task, JSON.stringify(payload), maxAttempts, key, priority],
  );
  return true;
}
