import { delay } from './delay.ts';
import type { Services } from './services.ts';

/** How long one kind of row is stored. Declared beside the code that writes the rows; `app/retention.ts` lists all. */
export interface Retention {
  /** The label in metrics and logs. */
  kind: string;
  /** How long a row is stored, in ms. */
  keptMs: number;
  /** The start of the period, as the documentation states it: "since it ended". */
  since: string;
  /** The SQL that selects the time of the oldest row as `at`, without reading the others. */
  oldest: string;
  /** Deletes at most `limit` rows older than `before`, oldest first, in one short statement. Returns how many. */
  prune(services: Services, before: Date, limit: number): Promise<number>;
  /** Marks rows that are no longer used. Bounded, and called once per run. */
  mark?: (services: Services) => Promise<void>;
}

/** Returns the retention of a table, or of the rows that meet a condition. The column `at` must be indexed. */
export function retentionOfTable({
  table,
  at,
  where = 'true',
  ...retention
}: Pick<Retention, 'kind' | 'keptMs' | 'since'> & { table: string; at: string; where?: string }): Retention {
  return {
    ...retention,
    oldest: `select min(${at}) as at from ${table} where ${where}`,
    async prune({ pool }, before, limit) {
      const { rowCount } = await pool.query(
        `delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${at} < $1 and ${where} order by ${at} limit $2 for update skip locked))`,
        [before.toISOString(), limit],
      );
      return rowCount ?? 0;
    },
  };
}

export interface PruneLimits {
  /** Rows per statement, so that it takes well below a second. */
  batch: number;
  /** Statements per kind and run; the next run continues. */
  batches: number;
}

export const pruneLimits: PruneLimits = { batch: 1_000, batches: 1_000 };

/** After this time a run leaves the rest to the next run. */
const RUN_MS = 4 * 60_000;

const prunedBy = new WeakMap<Services, Map<string, number>>();

/** Returns how many rows of each kind this process has pruned. */
export function prunedRows(services: Services): ReadonlyMap<string, number> {
  return prunedBy.get(services) ?? new Map();
}

/**
 * Deletes expired rows, oldest first. The kinds take turns, so that a large backlog of one does not delay the others, and after
 * each turn the run pauses for as long as the turn took.
 */
export async function pruneAll(
  services: Services,
  retentions: readonly Retention[],
  { batch, batches }: PruneLimits = pruneLimits,
  signal?: AbortSignal,
): Promise<void> {
  const timeout = AbortSignal.timeout(RUN_MS);
  const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
  const pruned = new Map<string, number>();
  const failures: unknown[] = [];
  let open = [...retentions];
  /** Runs a step for each open kind, and closes the kinds for which it fails or returns false. */
  const step = async (work: (retention: Retention) => Promise<boolean>) => {
    const stillOpen: Retention[] = [];
    for (const retention of open) {
      try {
        // A stopped run keeps the kinds whose last batch was full: their rest is left to the next run.
        if (stop.aborted ? pruned.has(retention.kind) : await work(retention)) stillOpen.push(retention);
      } catch (error) {
        failures.push(error);
        services.log.error({ kind: retention.kind, err: error }, 'rows cannot be pruned');
      }
    }
    open = stillOpen;
  };
  await step(async ({ mark }) => {
    await mark?.(services);
    return true;
  });
  for (let turn = 0; turn < batches && open.length > 0 && !stop.aborted; turn++) {
    const started = performance.now();
    await step(async ({ kind, keptMs, prune }) => {
      const count = await prune(services, new Date(services.clock.now().getTime() - keptMs), batch);
      pruned.set(kind, (pruned.get(kind) ?? 0) + count);
      return count === batch;
    });
    if (open.length > 0) await delay(performance.now() - started, stop);
  }
  recordPruned(services, pruned, open);
  if (failures.length > 0) throw failures[0];
}

function recordPruned(
  services: Services,
  pruned: ReadonlyMap<string, number>,
  unfinished: readonly Retention[],
): void {
  const totals = prunedBy.get(services) ?? new Map<string, number>();
  prunedBy.set(services, totals);
  for (const [kind, count] of pruned) totals.set(kind, (totals.get(kind) ?? 0) + count);
  const some = Object.fromEntries([...pruned].filter(([, count]) => count > 0));
  if (Object.keys(some).length > 0) services.log.info({ pruned: some }, 'pruned');
  if (unfinished.length > 0)
    services.log.warn({ kinds: unfinished.map(({ kind }) => kind) }, 'expired rows remain for the next run');
}

interface RetentionFigure {
  kind: string;
  /** The age of the oldest row in ms; 0 without rows. */
  oldestMs: number;
}

/** Returns the age of the oldest row of each kind. */
export async function retentionFigures(
  { pool, clock }: Pick<Services, 'pool' | 'clock'>,
  retentions: readonly Retention[],
): Promise<RetentionFigure[]> {
  const selects = retentions.map(({ oldest }, i) => `select ${i} as i, (${oldest}) as at`);
  const { rows } = await pool.query<{ i: number; at: string | null }>(
    `${selects.join(' union all ')} order by i`,
  );
  return rows.map(({ i, at }) => {
    const oldestMs = at === null ? 0 : Math.max(0, clock.now().getTime() - Date.parse(at));
    return { kind: retentions[i]!.kind, oldestMs };
  });
}
