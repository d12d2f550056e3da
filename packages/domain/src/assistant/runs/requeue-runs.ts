import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import type { Services } from '../../platform/services.ts';
import { enqueueRun, jobKeyOf, lockRun } from './run-store.ts';

/** A run whose turn it is, whose job has not been requested or was moved into the queue. */
interface Candidate {
  workspace_id: number;
  id: string;
}

/**
 * Enqueues the job of each run whose turn it is and that has no job, or only one that has failed for good. Without a
 * job its ticket would stay with the assistant forever. Returns the number of requeued runs.
 */
export async function requeueRuns(services: Services): Promise<number> {
  const { pool, firmServers } = services;
  const candidates = await firmServers.readAll<Candidate>({
    text: (isAmong) => `${allFirms('lost-runs')}
     select r.workspace_id, r.id::text as id from assistant_runs r
     where r.ended_at is null and ${isAmong('r.workspace_id')}
       and not exists (
         select from assistant_runs earlier
         where earlier.workspace_id = r.workspace_id and ${isAmong('earlier.workspace_id')} and earlier.ticket_id = r.ticket_id and earlier.ended_at is null
           and earlier.id < r.id)
       and not exists (
         select from job_requests q
         where q.workspace_id = r.workspace_id and ${isAmong('q.workspace_id')} and q.key = $1 || r.id)`,
    values: [jobKeyOf('')],
  });
  if (candidates.length === 0) return 0;
  // The queue is read after the requests, so that a request that is moved between the two is found in one of them.
  const { rows: jobs } = await pool.query<{ key: string }>(
    `select key from graphile_worker.jobs where key = any($1) and (attempts < max_attempts or locked_at is not null)`,
    [candidates.map(({ id }) => jobKeyOf(id))],
  );
  const queued = new Set(jobs.map(({ key }) => key));
  const lost = candidates.filter(({ id }) => !queued.has(jobKeyOf(id)));
  for (const { workspace_id, id } of lost) {
    const ref = { workspaceId: workspace_id, runId: id };
    await withTransaction(services, async (ctx) => {
      const found = await lockRun(ctx, ref);
      if (found && !found.run.ended_at) await enqueueRun(ctx, ref);
    });
  }
  if (lost.length > 0) services.log.warn({ runs: lost.length }, 'requeued assistant runs that had no job');
  return lost.length;
}
