import { ApiError, DatabaseUnusableError, DatabaseUrlError, sqlState } from '@firmdesk/domain';
import { PostgresLaunchError } from '@firmdesk/postgres';
import { SeedError } from '@firmdesk/seed/problems';
import { TimestampError } from '@firmdesk/seed/times';
import { z } from 'zod';
import { ConfigError } from '../config.ts';

/** A signal stopped the process during the setup of the database, and the setup did not end in time. */
export class StartCancelledError extends Error {
  override name = 'StartCancelledError';
  constructor() {
    super(
      'The start was cancelled before the database was set up, because a signal asked the process to stop.',
    );
  }
}

/** Errors whose message is enough for the operator. */
const expected = [
  ApiError,
  ConfigError,
  DatabaseUnusableError,
  DatabaseUrlError,
  PostgresLaunchError,
  StartCancelledError,
  TimestampError,
  SeedError,
];

/** Formats the error that ended a command: one message for an expected error, the stack for any other. */
export function formatFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof z.ZodError) return z.prettifyError(error);
  if (expected.some((kind) => error instanceof kind)) return error.message;
  if (sqlState(error) === '53300')
    return `The database has no free connection: ${error.message}. Lower DATABASE_POOL_MAX of the processes, or raise max_connections (\`pnpm ops check\` prints both).`;
  // SQLSTATE class 08: the server does not respond, or does not speak PostgreSQL's protocol. Such an error has no errno.
  if (sqlState(error)?.startsWith('08'))
    return `The database cannot be reached: ${error.message}. Check DATABASE_URL.`;
  if (isTlsFailure(error))
    return `The database's TLS connection is not trusted: ${error.message}. Check sslmode and sslrootcert in DATABASE_URL.`;
  const { code, syscall, path, address, port, message } = errnoOf(error);
  if (syscall === 'mkdir') return `The folder ${path} cannot be created: ${message}`;
  // From `parseArgs`.
  if (code?.startsWith('ERR_PARSE_ARGS_')) return error.message;
  switch (code) {
    case 'EADDRINUSE':
      return `${address ?? 'The address'}:${port} is already in use. Stop the process that listens there, or set PORT to another port.`;
    case 'EADDRNOTAVAIL':
      return `${address} is not an address of this machine. Set HOST to one of its addresses.`;
    case 'ENOENT':
    case 'ENOTDIR':
      return path === undefined ? withStack(error) : `The file ${path} does not exist.`;
    // Node does not name the path.
    case 'EISDIR':
      return 'A path must name a file, but names a folder.';
    case 'EACCES':
      return `No permission: ${error.message}`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `The database cannot be reached (${code}${address ? ` ${address}:${port}` : ''}). Check DATABASE_URL.`;
    case '42501':
      return `The account of DATABASE_URL lacks a right: ${error.message}.`;
    case '28P01':
    case '28000':
    case '3D000':
    case '25006':
      return `The database rejected the connection: ${error.message}. Check DATABASE_URL.`;
    default:
      return error instanceof TypeError && !code ? error.message : withStack(error);
  }
}

/** Returns whether a certificate was rejected, or the server offers no TLS. */
function isTlsFailure(error: Error): boolean {
  const { code } = errnoOf(error);
  return (
    /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|^ERR_SSL|^ERR_TLS/.test(code ?? '') ||
    /does not support SSL|establishing an SSL/.test(error.message)
  );
}

function withStack(error: Error): string {
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
