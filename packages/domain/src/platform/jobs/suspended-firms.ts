import type { Pool } from 'pg';
import { firmOfJob, type JobRequest } from './jobs.ts';

/** The condition that the firm of a job request, or the firm of which it is the sandbox, is not suspended. Takes an SQL expression for its id. */
export function isServed(workspace: string): string {
  return `not exists (select from workspaces h join workspaces s on s.id = coalesce(h.sandbox_of, h.id)
    where h.id = ${workspace} and s.suspended_at is not null)`;
}

/**
 * Requests a job again if its firm is suspended: the request waits until the firm is resumed, like those that were not moved into the
 * queue yet. Returns whether it did.
 */
export async function postponeIfSuspended(
  pool: Pool,
  { task, payload, maxAttempts, key, priority }: JobRequest,
): Promise<boolean> {
  const firm = firmOfJob(payload);
  if (firm === null) return false;
  const { rows } = await pool.query<{ is_served: boolean }>({
    name: 'is-firm-served',
    text: `select ${isServed('$1::integer')} as is_served`,
    values: [firm],
  });
  if (rows[0]!.is_served) return false;
  await pool.query(
    `insert into job_requests (workspace_id, task, payload, run_at, max_attempts, key, priority)
     values ($1, $2, $3::json, now(), $4, $5, $6)`,
    [firm, task, JSON.stringify(payload), maxAttempts, key, priority],
  );
  return true;
}
