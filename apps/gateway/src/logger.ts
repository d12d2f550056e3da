import { destination, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

/**
 * JSON lines on stderr; stdout is for what a person asked to see. Bodies, tokens and cookies are never handed to it, and
 * what looks like one in an error's own fields is struck out.
 */
export function createLogger(level: Config['logLevel']): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: ['err.query', 'err.sql', 'err.params', 'err.parameters', 'err.detail', 'err.where'],
        remove: true,
      },
    },
    destination({ dest: 2, sync: false }),
  );
}
