import { close, open } from 'node:fs';
import type { Log } from '@firmdesk/domain';

const LOOK_MS = 2_000;
/** The minimum time between two log lines. */
const REPEAT_MS = 60_000;

/**
 * Logs when the process has no file descriptor left. libuv then drops new connections without an error, so this opens a file from
 * time to time. Returns a function that stops it.
 */
export function watchFileDescriptors(log: Log): () => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  const timer = setInterval(() => {
    open('/dev/null', 'r', (error, file) => {
      if (!error) return close(file);
      const isExhausted = error.code === 'EMFILE' || error.code === 'ENFILE';
      if (!isExhausted || performance.now() - loggedAt < REPEAT_MS) return;
      loggedAt = performance.now();
      log.error(
        { code: error.code },
        'no file descriptor is left, so connections are dropped: raise the limit of open files (LimitNOFILE, ulimit -n)',
      );
    });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
