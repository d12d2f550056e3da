import { loggedError } from '@firmdesk/domain';
import { destination, type Logger, pino } from 'pino';
import type { Config } from './config.ts';

/** A line waits this long at most. */
const FLUSH_MS = 200;
/** Characters that wait while nobody reads, at most: what comes then is dropped, and counted. */
export const MAX_UNREAD = 4_194_304;

/**
 * JSON lines on stderr; stdout is for what a person asked to see. Bodies, tokens and cookies are never handed to it, and
 * of an error only what cannot hold one is written.
 */
export function createLogger(level: Config['logLevel']): Logger {
  // Lines leave together: a write for each would cost as much as the request it tells of.
  const stderr = destination({
    dest: 2,
    sync: false,
    minLength: 4096,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_UNREAD,
  });
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      serializers: { err: loggedError },
    },
    stderr,
  );
  let dropped = 0;
  stderr.on('drop', () => void dropped++);
  stderr.on('drain', () => {
    if (dropped > 0) log.warn({ dropped }, 'log lines were dropped: nobody read them in time');
    dropped = 0;
  });
  return log;
}

let second = 0;
let prefix = '';

/** ISO 8601 to the millisecond; the text of a second is made once. */
function timestamp(): string {
  const now = Date.now();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    prefix = `,"time":"${new Date(current * 1000).toISOString().slice(0, 20)}`;
  }
  return `${prefix}${String(now - current * 1000).padStart(3, '0')}Z"`;
}
