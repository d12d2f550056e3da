/** What the domain needs of a logger; pino's shape. Never given a secret or a body. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

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
 * An error as a log may have it. A database says in its errors what the row and the value were: a mail's text, the hash of a
 * password. Those words are left out, and with them every field that is not named here.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' };
  // tRPC wraps what was thrown, in its words.
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
  // Class 22, data exceptions, quote the value.
  return String(code).startsWith('22') ? 'data exception' : error.message.split('\n')[0]!.trim();
}
