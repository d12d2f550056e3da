import type { Logger } from 'pino';

const HARD_EXIT_MS = 25_000;
/** For the last lines of the log. */
const FLUSH_MS = 2_000;

/** On Ctrl-C or SIGTERM: drains once, then exits. A second signal, or a drain that hangs, exits at once. */
export function onSignal(log: Logger, drain: () => Promise<void>): void {
  let isDraining = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isDraining) process.exit(1);
    isDraining = true;
    log.info({ signal }, 'draining');
    setTimeout(() => {
      log.error({}, 'the drain took too long');
      leave(log, 1);
    }, HARD_EXIT_MS).unref();
    drain().then(
      () => leave(log, 0),
      (error: unknown) => {
        log.error({ err: error }, 'the drain failed');
        leave(log, 1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

/** A write to a pipe that nobody reads holds a thread, and that the end of the process: it then ends the hard way. */
function leave(log: Logger, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSH_MS);
  log.flush(() => process.exit(code));
}
