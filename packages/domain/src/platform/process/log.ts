/** The part of pino's interface that the domain uses. Secrets and bodies must not be logged. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Discards all messages. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };

const MAX_CAUSES = 5;
const MAX_FRAMES = 20;

export interface LoggedError {
  type: string;
  message: string;
  code?: string;
  constraint?: string;
  stack: string;
  cause?: LoggedError;
}

/**
 * Returns the fields of an error that may be logged. Database errors quote rows and values, such as the text of a mail or a
 * password's hash: these parts, and all fields not listed here, are omitted.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  // tRPC wraps the thrown error and repeats its message.
  if (error.cause instanceof Error && error.cause.message === error.message) {
    return loggedError(error.cause, depth);
  }
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    type: error.constructor.name,
    message: messageOf(error),
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    stack: frames.slice(0, MAX_FRAMES).join('\n'),
    ...(error.cause instanceof Error && depth < MAX_CAUSES && { cause: loggedError(error.cause, depth + 1) }),
  };
}

function messageOf(error: Error): string {
  if (!('severity' in error))
    return error instanceof AggregateError ? error.errors.join('; ') : error.message;
  const { code } = error as { code?: unknown };
  // Errors of class 22, data exceptions, quote the value.
  return String(code).startsWith('22') ? 'data exception' : error.message.split('\n')[0]!.trim();
}
