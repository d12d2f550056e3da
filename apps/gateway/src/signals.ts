import type { Logger } from 'pino';

const HARD_EXIT_MS = 25_000;
/** For the last lines of the log. */
const FLUSH_MS = 2_000;

/**
 * On Ctrl-C or SIGTERM: drains once, then exits. A second signal ends the drain, and still stops what was started: a
 * shell and a package manager may both send one. A third signal, or a stop that hangs, exits at once.
 */
export function onSignal(log: Logger, stop: (hurry: AbortSignal) => Promise<void>): void {
  const hurry = new AbortController();
  let signals = 0;
  const onStop = (signal: NodeJS.Signals) => {
    signals++;
    if (signals > 2) process.exit(1);
    if (signals === 2) return hurry.abort();
    log.info({ signal }, 'draining');
    setTimeout(() => {
      log.error({}, 'the drain took too long');
      leave(log, 1);
    }, HARD_EXIT_MS).unref();
    stop(hurry.signal).then(
      () => leave(log, 0),
      (error: unknown) => {
        log.error({ err: error }, 'the drain failed');
        leave(log, 1);
      },
    );
  };
  process.on('SIGINT', onStop);
  process.on('SIGTERM', onStop);
}

/** A write to a pipe that nobody reads holds a thread, and that the end of the process: it then ends the hard way. */
function leave(log: Logger, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSH_MS);
  log.flush(() => process.exit(code));
}
