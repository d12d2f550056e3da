import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './cluster.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import { type Launch, launch, type PidFile, readPidFile } from './postmaster.ts';
import { isPostmaster, orphans } from './processes.ts';

/** Limit for the start, including recovery after a crash. */
const startMs = 180_000;
/** Limit for joining a running server in order to stop it. */
const joinToStopMs = 10_000;
const pollMs = 50;
const maxPortFailures = 5;

/** The key of the advisory lock in the database `postgres` that all users of the server share. */
const usersLock = '4983746530219387';

declare module 'pg' {
  interface Client {
    ref(): void;
    unref(): void;
  }
}

/** The session that makes this process a user of the server. */
export interface Session {
  port: number;
  /** Whether the server has a Unix socket in the cluster's folder. */
  hasSocket: boolean;
  /** Whether joining started the server. */
  started: boolean;
  isOpen(): boolean;
  /** Calls back when the session ends, or at once if it has ended. */
  onEnd(callback: () => void): void;
  /** Releases the shared lock. Returns whether there is no other user; then new users wait until the session ends. */
  isLast(): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * Opens a session with the cluster's server, and starts the server if it does not run. Waits while a server starts, recovers or
 * stops.
 * @throws PostgresLaunchError when the server cannot start, or does not answer within three minutes
 */
export async function join(
  cluster: Cluster,
  log: (message: string) => void,
  signal?: AbortSignal,
): Promise<Session> {
  const { dir } = cluster;
  const deadline = performance.now() + startMs;
  let launched: Launch | undefined;
  let portFailures = 0;
  let socketFailed = false;
  let lingered = false;
  let reason: unknown;
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const pidFile = readPidFile(dir);
    if (pidFile?.port !== undefined) {
      try {
        return await openSession(cluster, pidFile.port, launched?.isServer(pidFile.pid) ?? false);
      } catch (error) {
        reason = error;
      }
    }
    const end = launched?.ended();
    if (launched && end !== undefined) {
      const failure = end === 'killed' ? 'stopped' : retryableFailureIn(launched.output('own'));
      if (failure === 'port') portFailures++;
      if (failure === 'socket') socketFailed = true;
      if (failure === undefined || portFailures > maxPortFailures) {
        throw new PostgresLaunchError(`PostgreSQL could not be started in ${dir}.`, launched.output());
      }
      // Processes of a killed server end by themselves, unless they are busy.
      if (failure === 'lingering' && lingered) killProcesses(orphans(cluster.name));
      lingered = failure === 'lingering';
      if (lingered) await sleep(500);
      launched = undefined;
    }
    if (!launched) {
      if (!(await mayRun(pidFile, dir))) {
        log(`Starting PostgreSQL in ${dir}`);
        launched = await launch(cluster, { lastPort: portFailures > 0, socket: socketFailed });
      } else if (errorCode(reason).startsWith('28')) {
        throw new PostgresLaunchError(
          `The PostgreSQL server of ${dir} rejects the stored superuser password.`,
          messageOf(reason),
        );
      }
    }
    await sleep(pollMs);
  }
  throw new PostgresLaunchError(
    `PostgreSQL in ${dir} did not accept a connection within ${startMs / 1000} s: ${messageOf(reason)}`,
    launched?.output(),
  );
}

/** Opens a session with the cluster's server if it runs. */
export async function joinRunning(cluster: Cluster): Promise<Session | undefined> {
  const deadline = performance.now() + joinToStopMs;
  while (performance.now() < deadline) {
    const pidFile = readPidFile(cluster.dir);
    if (pidFile?.port !== undefined) {
      const session = await openSession(cluster, pidFile.port, false).catch(() => undefined);
      if (session) return session;
    }
    if (!pidFile || !(await mayRun(pidFile, cluster.dir))) return undefined;
    await sleep(pollMs);
  }
  return undefined;
}

const mayRun = async (pidFile: PidFile | undefined, dir: string): Promise<boolean> =>
  pidFile !== undefined && (pidFile.pid === 0 || (await isPostmaster(pidFile.pid, dir)));

/** Returns why a server did not start; undefined if another attempt cannot help. */
function retryableFailureIn(
  output: string,
): 'locked' | 'stopped' | 'lingering' | 'port' | 'socket' | undefined {
  // File systems without sockets, and lock files of sockets with a process id that another program has now.
  if (/could not create any Unix-domain sockets|lock file ".*\.s\.PGSQL\..*"/.test(output)) return 'socket';
  if (/lock file ".*" already exists|lock file ".*" is empty/.test(output)) return 'locked';
  if (/received \w+ shutdown request/.test(output)) return 'stopped';
  if (/pre-existing shared memory block/.test(output)) return 'lingering';
  if (/could not create any TCP\/IP sockets/.test(output)) return 'port';
  return undefined;
}

/** Ends processes immediately without cleanup, as a postmaster does after a crash of one of them. */
function killProcesses(pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGQUIT');
    } catch {
      // The process has ended meanwhile.
    }
  }
}

async function openSession(cluster: Cluster, port: number, started: boolean): Promise<Session> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password: cluster.password,
    database: 'postgres',
    application_name: `user of the server, process ${process.pid}`,
    connectionTimeoutMillis: 10_000,
    // Overrides settings for other servers (PGSSLMODE, PGOPTIONS).
    ssl: false,
    options: '-c statement_timeout=0 -c idle_session_timeout=0',
  });
  let open = true;
  let hasSocket: boolean;
  client.once('end', () => {
    open = false;
  });
  // A broken connection is handled by its end, or by the failure of the current query.
  client.on('error', () => undefined);
  const end = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock_shared($1)', [usersLock]);
    // A previous user may be stopping the server, whose end releases the lock. Only another answer shows that the server runs on.
    const { rows } = await client.query<{ unix_socket_directories: string }>('show unix_socket_directories');
    hasSocket = rows[0]!.unix_socket_directories !== '';
  } catch (error) {
    await end();
    throw error;
  }
  client.unref();
  return {
    port,
    hasSocket,
    started,
    isOpen: () => open,
    onEnd(callback) {
      if (open) client.once('end', callback);
      else callback();
    },
    async isLast() {
      client.ref();
      try {
        await client.query('select pg_advisory_unlock_shared($1)', [usersLock]);
        const { rows } = await client.query<{ last: boolean }>('select pg_try_advisory_lock($1) as last', [
          usersLock,
        ]);
        return rows[0]?.last ?? false;
      } catch {
        return false;
      }
    },
    end,
  };
}
