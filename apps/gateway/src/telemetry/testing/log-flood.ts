import { onSignal } from '../../process/signals.ts';
import { createLogger } from '../logger.ts';

/**
 * A process that logs far more than is buffered, prints by how many MiB its memory grew, and waits to be stopped. Run it with
 * `--expose-gc`: dropped lines are garbage-collected before the measurement.
 */
const LINES = 40_000;
const log = createLogger('info');
onSignal(log, async () => {});
const before = memoryInUse();
const text = 'x'.repeat(2_000);
for (let n = 0; n < LINES; n++) {
  log.info({ n }, text);
  if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write(`${Math.round((memoryInUse() - before) / 1_048_576)}\n`);
setInterval(() => {}, 60_000);

function memoryInUse(): number {
  globalThis.gc!();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
