import type { Retention } from '../database/retention.ts';
import { DAY_MS } from '../process/clock.ts';

/** Jobs that have used up their attempts, in the queue's public view. */
const FAILED = `graphile_worker.jobs where attempts >= max_attempts and locked_at is null`;

/** Retention of jobs that failed permanently, which are stored for analysis. */
export const failedJobsRetention: Retention = {
  kind: 'failed_jobs',
  keptMs: 30 * DAY_MS,
  since: 'since its last attempt',
  oldest: () => `select min(updated_at) as at from ${FAILED}`,
  async prune({ pool }, before, limit) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from graphile_worker.complete_jobs(array(
        select id from ${FAILED} and updated_at < $1 order by updated_at limit $2))`,
      [before.toISOString(), limit],
    );
    return rows[0]!.count;
  },
};
