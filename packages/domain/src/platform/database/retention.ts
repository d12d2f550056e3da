import { allFirms } from '../distribution/all-firms.ts';
import { delay } from '../process/delay.ts';
import type { Services } from '../services.ts';
import type { AllFirmsRead } from './firm-servers.ts';

/** How long one kind of row is stored. Declared beside the code that writes the rows; `app/retention.ts` lists all. */
export interface Retention {
  /** The label in metrics and logs. */
  kind: string;
  /** How long a row is stored, in ms. */
  keptMs: number;
  /** The start of the period, as the documentation states it: "since it ended". */
  since: string;
  /** Returns the SQL that selects the time of the oldest row as `at`, without reading the others. See {@link AllFirmsRead}. */
  oldest: AllFirmsRead['text'];
  /** Deletes at most `limit` rows older than `before`, oldest first, in one short statement. Returns how many. */
  prune(services: Services, before: Date, limit: number): Promise<number>;
  /** Marks rows that are no longer used. Bounded, and called once per run. */
  mark?: (services: Services) => Promise<void>;
}

type TableRetention = Pick<Retention, 'kind' | 'keptMs' | 'since'> & {
  table: string;
  /** The column of the time, which must be indexed. */
  at: string;
  where?: string;
};

/** Returns the retention of a table that is not a firm's, or of its rows that meet a condition. */
export function retentionOfTable({ table, at, where = 'true', ...retention }: TableRetention): Retention {
  return {
    ...retention,
    oldest: () => `select min(${at}) as at from ${table} where ${where}`,
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

/**
 * Returns the retention of a firm's table with the column `id`, or of its rows that meet a condition. One statement finds the
 * oldest rows of all firms; each firm's rows are deleted by a statement of their own.
 */
export function retentionOfFirmTable({ table, at, where = 'true', ...retention }: TableRetention): Retention {
  return {
    ...retention,
    oldest: (isAmong) =>
      `select min(${at}) as at from ${table} where ${where} and ${isAmong('workspace_id')}`,
    async prune({ pool, firmServers }, before, limit) {
      const due = await firmServers.readAll<{ workspace_id: number; id: string | number }>({
        text: (isAmong) => `${allFirms('retention')}
          select workspace_id, id from ${table} where ${at} < $1 and ${where} and ${isAmong('workspace_id')}
          order by ${at} limit $2`,
        values: [before.toISOString(), limit],
      });
      let deleted = 0;
      for (const [firm, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id)) {
        const { rowCount } = await pool.query(
          `delete from ${table} where workspace_id = $1 and id = any($2) and ${at} < $3 and ${where}`,
          [firm, rows.map(({ id }) => id), before.toISOString()],
        );
        deleted += rowCount ?? 0;
      }
      return deleted;
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
  const { prunedRows } = services;
  for (const [kind, count] of pruned) prunedRows.set(kind, (prunedRows.get(kind) ?? 0) + count);
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
  { firmServers, clock }: Pick<Services, 'firmServers' | 'clock'>,
  retentions: readonly Retention[],
): Promise<RetentionFigure[]> {
  const figures: RetentionFigure[] = [];
  for (const { kind, oldest } of retentions) {
    const rows = await firmServers.readAll<{ at: string | null }>({
      text: (isAmong) => `${allFirms('retention')} ${oldest(isAmong)}`,
    });
    const [at = null] = rows.flatMap((row) => row.at ?? []).sort();
    figures.push({
      kind,
      oldestMs: at === null ? 0 : Math.max(0, clock.now().getTime() - Date.parse(at)),
    });
  }
  return figures;
}
