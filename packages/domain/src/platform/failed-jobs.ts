import { DAY_MS } from './clock.ts';
import type { Retention } from './retention.ts';

/** What the queue keeps of jobs: its public view. A job that has been tried as often as it may is never tried again. */
const FAILED = `graphile_worker.jobs where attempts >= max_attempts and locked_at is null`;

/** Jobs that failed for good: kept for whoever looks into why. */
export const failedJobsRetention: Retention = {
  kind: 'failed_jobs',
  keptMs: 30 * DAY_MS,
  since: 'since its last try',
  oldest: `select min(updated_at) as at from ${FAILED}`,
  async prune({ pool }, before, limit) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker.complete_jobs(array(
        select id from ${FAILED} and updated_at < $1 order by updated_at limit $2))`,
      [before.toISOString(), limit],
    );
    return rows[0]!.count;
  },
};
