import { retentionFigures, retentions, type Services } from '@firmdesk/domain';
import { Counter, Gauge, type Registry } from 'prom-client';

/** Adds the retention metrics. The rows are shared by all processes; the pruned rows are counted per process. */
export function measureRetention(services: Services, registry: Registry): void {
  const registers = [registry];
  const measured = {
    clock: services.clock,
    firmServers: services.firmServers.through(services.metricsPool),
  };
  const labelNames = ['kind'];
  const kept = new Gauge({
    name: 'retention_kept_seconds',
    help: 'The retention period of a kind of row.',
    labelNames,
    registers,
  });
  for (const { kind, keptMs } of retentions) kept.set({ kind }, keptMs / 1_000);
  new Gauge({
    name: 'retention_oldest_seconds',
    help: 'The age of the oldest row. Above retention_kept_seconds, pruning is late.',
    labelNames,
    registers,
    async collect() {
      // Without a database, `/metrics` still serves the other metrics.
      const figures = await retentionFigures(measured, retentions).catch(() => null);
      for (const [i, { kind }] of retentions.entries())
        this.set({ kind }, figures ? figures[i]!.oldestMs / 1_000 : Number.NaN);
    },
  });
  new Counter({
    name: 'retention_pruned_rows_total',
    help: 'Rows deleted at the end of their retention period.',
    labelNames,
    registers,
    collect() {
      this.reset();
      const pruned = services.prunedRows;
      for (const { kind } of retentions) this.inc({ kind }, pruned.get(kind) ?? 0);
    },
  });
}
