import { ApiError, DatabaseUnusableError, sqlState } from '@firmdesk/domain';
import { PostgresLaunchError } from '@firmdesk/postgres';
import { SeedError, TimestampError } from '@firmdesk/seed';
import { z } from 'zod';
import { ConfigError } from './config.ts';

/** A signal came while the database was being set up, and the setup took too long to wait for. */
export class StartGivenUpError extends Error {
  override name = 'StartGivenUpError';
  constructor() {
    super('The start was given up before the database was set up: a signal asked the process to stop.');
  }
}

/** What says all that a person needs in its message. */
const foreseen = [
  ApiError,
  ConfigError,
  DatabaseUnusableError,
  PostgresLaunchError,
  StartGivenUpError,
  TimestampError,
  SeedError,
];

/** One clear message for whoever started it; the stack only of what nobody foresaw. */
export function formatFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (foreseen.some((kind) => error instanceof kind)) return error.message;
  // A server that does not answer, or does not speak PostgreSQL's protocol, gives no errno.
  if (sqlState(error)?.startsWith('08'))
    return `The database cannot be reached: ${error.message}. Check DATABASE_URL.`;
  const { code, syscall, path, address, port, message } = errnoOf(error);
  if (syscall === 'mkdir') return `The folder ${path} cannot be made: ${message}`;
  // What `parseArgs` says of arguments.
  if (code?.startsWith('ERR_PARSE_ARGS_')) return error.message;
  switch (code) {
    case 'EADDRINUSE':
      return `${address ?? 'The address'}:${port} is already in use. Stop what listens there, or set PORT.`;
    case 'EADDRNOTAVAIL':
      return `${address} is no address of this machine. Set HOST to one that is.`;
    case 'ENOENT':
    case 'ENOTDIR':
      return path === undefined ? unforeseen(error) : `There is no file ${path}.`;
    // Node does not say which.
    case 'EISDIR':
      return 'A folder was given where a file is wanted.';
    case 'EACCES':
      return `No permission: ${error.message}`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `The database cannot be reached (${code}${address ? ` ${address}:${port}` : ''}). Check DATABASE_URL.`;
    case '28P01':
    case '28000':
    case '3D000':
      return `The database refuses the connection: ${error.message}. Check DATABASE_URL.`;
    default:
      return error instanceof TypeError && !code ? error.message : unforeseen(error);
  }
}

function unforeseen(error: Error): string {
  return error.stack ?? error.message;
}

interface Errno extends Partial<NodeJS.ErrnoException> {
  address?: string;
  port?: number;
}

function errnoOf(error: Error): Errno {
  for (let at: unknown = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    if ('code' in at && typeof at.code === 'string') return at as { code: string };
  }
  return {};
}
