import { createLogger } from '../logger.ts';
import { onSignal } from '../signals.ts';

/** A process that logs far more than is kept, says what memory that took, in MiB, and waits to be stopped. */
const LINES = 40_000;
const log = createLogger('info');
onSignal(log, async () => {});
const before = process.memoryUsage.rss();
const text = 'x'.repeat(2_000);
for (let n = 0; n < LINES; n++) {
  log.info({ n }, text);
  if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write(`${Math.round((process.memoryUsage.rss() - before) / 1_048_576)}\n`);
setInterval(() => {}, 60_000);
