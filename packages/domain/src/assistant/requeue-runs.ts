import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { enqueueRun, jobKeyOf, lockRun } from './run-store.ts';

/**
 * Enqueues the job of each run whose turn it is and that has no job, or only one that has failed for good. Without a
 * job its ticket would stay with the assistant forever. Returns the number of requeued runs.
 */
export async function requeueRuns(services: Services): Promise<number> {
  const { rows } = await queryPool<{ id: string }>(
    services.pool,
    `select r.id from assistant_runs r
     where r.ended_at is null
       and not exists (
         select from assistant_runs earlier
         where earlier.ticket_id = r.ticket_id and earlier.ended_at is null and earlier.id < r.id)
       and not exists (
         select from graphile_worker.jobs j
         where j.key = $1 || r.id and (j.attempts < j.max_attempts or j.locked_at is not null))`,
    [jobKeyOf('')],
  );
  for (const { id } of rows) {
    await withTransaction(services, async (ctx) => {
      const found = await lockRun(ctx, id);
      if (found && !found.run.ended_at) await enqueueRun(ctx, id);
    });
  }
  if (rows.length > 0) services.log.warn({ runs: rows.length }, 'requeued assistant runs that had no job');
  return rows.length;
}
