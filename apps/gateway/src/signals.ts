import type { Log } from '@firmdesk/domain';

const HARD_EXIT_MS = 25_000;

/** On Ctrl-C or SIGTERM: drains once, then exits. A second signal, or a drain that hangs, exits at once. */
export function onSignal(log: Log, drain: () => Promise<void>): void {
  let isDraining = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isDraining) process.exit(1);
    isDraining = true;
    log.info({ signal }, 'draining');
    setTimeout(() => {
      log.error({}, 'the drain took too long');
      process.exit(1);
    }, HARD_EXIT_MS).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the drain failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
