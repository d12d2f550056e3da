import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';

/** One server of `DATABASE_URL`. A host that starts with `/` is the folder of a Unix socket. */
export interface DatabaseHost {
  host: string;
  port: number;
}

const sessionAttributes = ['any', 'read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;
/** Which servers a connection accepts, as in libpq. */
export type TargetSession = (typeof sessionAttributes)[number];

/** Everything that `DATABASE_URL` states. */
export interface DatabaseAddress {
  hosts: readonly DatabaseHost[];
  user: string | undefined;
  /** With a file, a function that reads it for each connection: the password can change while the process runs. */
  password: string | (() => string) | undefined;
  database: string | undefined;
  /** TLS options of one server, or false for an unencrypted connection. */
  tlsOf: ((host: DatabaseHost) => ConnectionOptions) | false;
  /** Null: the default of the use. */
  targetSession: TargetSession | null;
  /** The first word of the name that sessions show in `pg_stat_activity`. */
  applicationName: string;
  /** Further settings of each session, in the form of libpq's `options`. A pooler may reject them. */
  options: string;
  /** Null: the server's default. */
  searchPath: string | null;
  connectTimeoutMs: number | null;
}

/** The URL of a database cannot be used. The message says why, and never contains the URL, which may contain a password. */
export class DatabaseUrlError extends Error {
  override name = 'DatabaseUrlError';
}

const DEFAULT_PORT = 5432;
/** PostgreSQL cuts a session's name at 63 bytes. Firmdesk appends up to 44: `worker` and an id. */
const MAX_NAME = 19;
const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
const parameters = new Set([
  'host',
  'port',
  'user',
  'password',
  'password_file',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'sslpassword',
  'application_name',
  'options',
  'search_path',
  'target_session_attrs',
  'connect_timeout',
]);

/**
 * Reads a connection URI of libpq: several hosts, TLS, the state of the server, settings of the session. Reads the files that it
 * names. Rejects a parameter that would have no effect: an encrypted connection must not become a plain one unnoticed.
 *
 * @throws DatabaseUrlError
 */
export function readDatabaseUrl(url: string): DatabaseAddress {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw new DatabaseUrlError('must be a URL such as postgres://user:password@host:5432/database');
  const [, account, authority = '', path = '', query = ''] = parts;
  const given = readParameters(query);
  const [user, password] = (account ?? '').split(/:(.*)/s).map(decode);
  const hosts = readHosts(given, authority);
  const targetSession = oneOf('target_session_attrs', given.get('target_session_attrs'), sessionAttributes);
  const applicationName = given.get('application_name') || 'firmdesk';
  if (Buffer.byteLength(applicationName) > MAX_NAME)
    throw new DatabaseUrlError(`has an application_name of more than ${MAX_NAME} bytes`);
  const connectTimeout = given.get('connect_timeout');
  if (connectTimeout !== undefined && !/^\d{1,6}$/.test(connectTimeout))
    throw new DatabaseUrlError('has a connect_timeout that is not a number of seconds');
  return {
    hosts,
    user: given.get('user') || user || undefined,
    password: readPassword(given) ?? (password || undefined),
    database: given.get('dbname') || decode(path) || undefined,
    tlsOf: readTls(given),
    targetSession: targetSession ?? null,
    applicationName,
    options: given.get('options') ?? '',
    searchPath: given.get('search_path') ?? null,
    connectTimeoutMs: Number(connectTimeout) * 1_000 || null,
  };
}

function readParameters(query: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decode);
    if (!parameters.has(name))
      throw new DatabaseUrlError(
        `has the unknown parameter ${name}: known are ${[...parameters].join(', ')}`,
      );
    given.set(name, value);
  }
  return given;
}

/** Reads the hosts and ports, which stand before the path or, for sockets, in the parameters `host` and `port`. */
function readHosts(given: ReadonlyMap<string, string>, authority: string): DatabaseHost[] {
  const hostList = given.get('host');
  const entries = authority
    .split(',')
    .map((entry) => /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(entry))
    .map((entry) => {
      if (!entry) throw new DatabaseUrlError('has a host that cannot be read');
      return { host: decode(entry[1] ?? '').replace(/^\[(.*)\]$/, '$1'), port: entry[2] ?? '' };
    });
  const hosts = hostList ? hostList.split(',') : entries.map(({ host }) => host);
  const portList = given.get('port');
  const ports = portList ? portList.split(',') : entries.map(({ port }) => port);
  return hosts.map((host, at) => {
    const port = Number(ports[ports.length === 1 ? 0 : at] || DEFAULT_PORT);
    if (!Number.isInteger(port) || port < 1 || port > 65_535)
      throw new DatabaseUrlError('has a port that is not a number from 1 to 65535');
    return { host: host || 'localhost', port };
  });
}

/**
 * Reads the TLS parameters, with libpq's meaning: `require` encrypts, `verify-ca` also checks who signed the server's certificate,
 * `verify-full` also its name. `require` with a CA file is `verify-ca`.
 */
function readTls(given: ReadonlyMap<string, string>): DatabaseAddress['tlsOf'] {
  const stated = given.get('sslmode');
  if (stated === 'prefer' || stated === 'allow')
    throw new DatabaseUrlError(
      `has sslmode=${stated}, which may use an unencrypted connection: use require, verify-ca or verify-full, or disable`,
    );
  const needsTls = ['sslrootcert', 'sslcert', 'sslkey'].find((name) => given.has(name));
  const mode = oneOf('sslmode', stated, tlsModes) ?? 'disable';
  if (mode === 'disable') {
    if (needsTls) throw new DatabaseUrlError(`has ${needsTls} without an sslmode: use sslmode=verify-full`);
    return false;
  }
  const caFile = given.get('sslrootcert');
  if (mode === 'verify-ca' && (!caFile || caFile === 'system'))
    throw new DatabaseUrlError('has sslmode=verify-ca without a file sslrootcert: use sslmode=verify-full');
  const certificate = given.get('sslcert');
  const key = given.get('sslkey');
  const passphrase = given.get('sslpassword');
  const tls: ConnectionOptions = {
    rejectUnauthorized: mode !== 'require' || caFile !== undefined,
    ...(caFile && caFile !== 'system' && { ca: readPem('sslrootcert', caFile) }),
    ...(certificate && { cert: readPem('sslcert', certificate) }),
    ...(key && { key: readPem('sslkey', key) }),
    ...(passphrase && { passphrase }),
  };
  const checksName = mode === 'verify-full' || (mode === 'require' && caFile === 'system');
  return (server) => ({
    ...tls,
    // The driver does not pass the host on when it is an address. A client may still choose among several.
    checkServerIdentity: checksName
      ? (_name, cert) => checkServerIdentity(server.host, cert)
      : () => undefined,
  });
}

function readPem(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DatabaseUrlError(`has ${parameter}=${path}, which cannot be read: ${(error as Error).message}`);
  }
}

function oneOf<T extends string>(
  name: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((each) => each === value);
  if (!found) throw new DatabaseUrlError(`has an unknown ${name}: use ${known.join(', ')}`);
  return found;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DatabaseUrlError('has a % that is not followed by two hexadecimal digits: write it as %25');
  }
}

/** The last password of each file. The process does not begin without one. */
const lastPasswords = new Map<string, string>();

function readPassword(given: ReadonlyMap<string, string>): DatabaseAddress['password'] {
  const file = given.get('password_file');
  if (file === undefined) return given.get('password') || undefined;
  // While the file is written it may be empty or missing, also when a connection is created. The server judges the last password.
  const read = () => {
    try {
      const password = readFileSync(file, 'utf8').trimEnd();
      if (password === '') throw new DatabaseUrlError('has a password_file that is empty');
      lastPasswords.set(file, password);
      return password;
    } catch (error) {
      const last = lastPasswords.get(file);
      if (last !== undefined) return last;
      if (error instanceof DatabaseUrlError) throw error;
      throw new DatabaseUrlError(`has a password_file that cannot be read: ${(error as Error).message}`);
    }
  };
  read();
  return read;
}
