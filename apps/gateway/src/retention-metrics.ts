import { prunedRows, retentionFigures, retentions, type Services } from '@firmdesk/domain';
import { Counter, Gauge, type Registry } from 'prom-client';

/** How far back reaches what is kept for a while only; the rows are everybody's, what was pruned is of this process. */
export function measureRetention(services: Services, registry: Registry): void {
  const registers = [registry];
  const measured = { clock: services.clock, pool: services.metricsPool };
  const labelNames = ['kind'];
  const kept = new Gauge({
    name: 'retention_kept_seconds',
    help: 'For how long a row is kept.',
    labelNames,
    registers,
  });
  for (const { kind, keptMs } of retentions) kept.set({ kind }, keptMs / 1_000);
  new Gauge({
    name: 'retention_oldest_seconds',
    help: 'The age of the oldest row; beyond retention_kept_seconds, it should have been pruned.',
    labelNames,
    registers,
    async collect() {
      // Without a database the other metrics are wanted all the more.
      const figures = await retentionFigures(measured, retentions).catch(() => null);
      for (const [i, { kind }] of retentions.entries())
        this.set({ kind }, figures ? figures[i]!.oldestMs / 1_000 : Number.NaN);
    },
  });
  new Counter({
    name: 'retention_pruned_rows_total',
    help: 'Rows that were kept for as long as they are to be, and deleted.',
    labelNames,
    registers,
    collect() {
      this.reset();
      const pruned = prunedRows(services);
      for (const { kind } of retentions) this.inc({ kind }, pruned.get(kind) ?? 0);
    },
  });
}
