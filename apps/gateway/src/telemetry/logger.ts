import { loggedError } from '@firmdesk/domain';
import { destination, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';

/** The maximum time that a line stays in the buffer. */
const FLUSH_MS = 200;
/** The maximum number of buffered characters while stderr is not read. Further lines are dropped and counted. */
export const MAX_UNREAD = 4_194_304;

/** Traces and logs that are also sent elsewhere. */
export interface Telemetry {
  /** The ids of the current span, for the log line. */
  currentIds(): Record<string, string>;
  /** Takes a line of the log. */
  emit(line: string): void;
  /** Sends the rest. */
  close(): Promise<void>;
}

/**
 * Creates the logger: JSON lines on stderr; stdout is for the output of commands. Callers never pass bodies, tokens or cookies,
 * and `loggedError` writes only the parts of an error that cannot contain one.
 */
export function createLogger(level: Config['logLevel'], telemetry: Telemetry | null = null): Logger {
  // Lines are written in batches, to make fewer system calls.
  const stderr = destination({
    dest: 2,
    sync: false,
    minLength: 16_000,
    maxLength: MAX_UNREAD,
  });
  // The timer is started by a line. The stream's own interval would run in an idle process too.
  let isFlushPlanned = false;
  let isFlushDue = false;
  const flush = () => {
    isFlushPlanned = false;
    isFlushDue = true;
    stderr.flush();
  };
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      serializers: { err: loggedError },
      ...(telemetry && { mixin: () => telemetry.currentIds() }),
      hooks: {
        streamWrite(line) {
          if (!isFlushPlanned) setTimeout(flush, FLUSH_MS).unref();
          isFlushPlanned = true;
          telemetry?.emit(line);
          return line;
        },
      },
    },
    stderr,
  );
  let dropped = 0;
  stderr.on('drop', () => void dropped++);
  stderr.on('drain', () => {
    // The stream ignores a flush while it writes.
    if (isFlushDue) stderr.flush();
    isFlushDue = false;
    if (dropped > 0) log.warn({ dropped }, 'log lines were dropped: stderr was not read in time');
    dropped = 0;
  });
  return log;
}

let second = 0;
let prefix = '';

/** Returns the `time` field of a line: ISO 8601 with milliseconds. Formats each second once. */
function timestamp(): string {
  const now = Date.now();
  const current = Math.floor(now / 1000);
  if (current !== second) {
    second = current;
    prefix = `,"time":"${new Date(current * 1000).toISOString().slice(0, 20)}`;
  }
  return `${prefix}${String(now - current * 1000).padStart(3, '0')}Z"`;
}
