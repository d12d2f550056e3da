import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Returns the stack frame of the file that runs the statement, without those of libraries and of the connection. */
export function callerOf(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const frames = new Error().stack!.split('\n').slice(1);
  Error.stackTraceLimit = limit;
  const own = frames.find(
    (frame) =>
      !/node_modules|node:|citus\/one-shard|statements\/(caller|check-statements|watch-statements)|platform\/(database\/(transaction|database|connections\/database-client)|connections\/connection(-slots)?)\.ts/.test(
        frame,
      ),
  );
  return own?.trim() ?? '';
}

/** Returns whether a stack frame is of a test, and not of the server. */
export function isTest(frame: string): boolean {
  return /\.(test|citus)\.ts|\/testing\/|\/testing\.ts/.test(frame) || frame.includes(`${ROOT}test/`);
}
