import { DAY_MS } from '../kernel/clock.ts';
import type { Services } from '../kernel/services.ts';

/** The conversation tells what came of a run; the run itself is kept this long. */
export const RUNS_KEPT_DAYS = 30;

const PRUNE_BATCH = 1_000;

/** Forgets runs that ended more than {@link RUNS_KEPT_DAYS} days ago, in batches. */
export async function pruneRuns({ pool, clock }: Services): Promise<void> {
  const before = new Date(clock.now().getTime() - RUNS_KEPT_DAYS * DAY_MS).toISOString();
  for (let pruned = PRUNE_BATCH; pruned === PRUNE_BATCH; ) {
    const { rowCount } = await pool.query(
      'delete from assistant_runs where id in (select id from assistant_runs where ended_at < $1 order by id limit $2)',
      [before, PRUNE_BATCH],
    );
    pruned = rowCount ?? 0;
  }
}
