import type { Logger } from 'pino';

const HARD_EXIT_MS = 25_000;
/** How long the process may take to write the last log lines. */
const FLUSH_MS = 2_000;

/**
 * Handles Ctrl-C and SIGTERM: drains once, then exits. A second signal ends the drain but still stops everything properly,
 * because a shell and a package manager may both send one. A third signal exits immediately, and so does a stop that hangs.
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
      flushAndExit(log, 1);
    }, HARD_EXIT_MS).unref();
    stop(hurry.signal).then(
      () => flushAndExit(log, 0),
      (error: unknown) => {
        log.error({ err: error }, 'the drain failed');
        flushAndExit(log, 1);
      },
    );
  };
  process.on('SIGINT', onStop);
  process.on('SIGTERM', onStop);
}

/** Exits after the log is written. If nothing reads the pipe, the write blocks the exit; then SIGKILL ends the process. */
function flushAndExit(log: Logger, code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), FLUSH_MS);
  log.flush(() => process.exit(code));
}
