import { spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, spawnOptions } from './account.ts';
import { program } from './binaries.ts';
import type { Cluster } from './cluster.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import { readClusterFile } from './placement.ts';
import { isAlive, isPostmaster } from './processes.ts';

const maxLogBytes = 16 * 1024 * 1024;
/** An empty lock file that is older than this was left by a crash. */
const emptyPidFileMs = 5_000;
const stopMs = { fast: 60_000, immediate: 15_000 };

const logPath = (dir: string): string => join(dir, 'server.log');

/** The contents of PostgreSQL's lock file. The port is missing until the server has written it. */
export interface PidFile {
  /** 0 if the file is empty. */
  pid: number;
  port?: number;
}

/** Returns the lock file of a cluster; undefined if there is none. Deletes an empty one that a crash has left. */
export function readPidFile(dir: string): PidFile | undefined {
  const path = join(dir, 'postmaster.pid');
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (pid > 0) return { pid, ...(port > 0 && { port }) };
    // Created but not written yet: by a server that is starting, or that ended at that moment.
    if (Date.now() - statSync(path).mtimeMs > emptyPidFileMs) unlinkSync(path);
    return { pid: 0 };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new PostgresLaunchError(`${path} cannot be read.`, messageOf(error));
  }
}

/** The longest path of a Unix socket: 103 bytes on macOS, 107 on Linux. */
const maxSocketPath = 103;

/** Returns whether the folder of a cluster can contain a Unix socket that a URL can name. */
export function canHaveSocket(dir: string): boolean {
  if (process.platform === 'win32') return false;
  // A comma separates folders in settings and URLs.
  return !/[,"]/.test(dir) && Buffer.byteLength(join(dir, '.s.PGSQL.65535')) <= maxSocketPath;
}

/** An attempt of this process to start the server. */
export interface Launch {
  /** Returns whether the server with process id `pid` is this one. */
  isServer(pid: number): boolean;
  /** Returns how the process ended; undefined while it runs. */
  ended(): 'killed' | 'failed' | undefined;
  /** Returns the log since the start; with `own`, only the lines of the started process. */
  output(own?: 'own'): string;
}

/** What a start must avoid because the last attempt failed. */
export interface Avoided {
  lastPort: boolean;
  socket: boolean;
}

/**
 * Starts the server detached: in a separate session that signals to the caller's process group do not reach, and without
 * keeping the caller's event loop alive. PostgreSQL refuses to start if another server uses the cluster.
 */
export async function launch(cluster: Cluster, avoid: Avoided): Promise<Launch> {
  const { dir, account, binaries } = cluster;
  const port = await freePort(avoid.lastPort ? 0 : await lastPort(dir));
  // Only the owner can open the folder. The server listens on TCP too, for other programs and where there is no socket.
  const socketFolder = !avoid.socket && canHaveSocket(dir) ? dir : '';
  const settings = [
    ...['-p', `${port}`],
    ...['-c', 'listen_addresses=127.0.0.1'],
    ...['-c', `unix_socket_directories=${socketFolder}`],
    ...['-c', `cluster_name=${cluster.name}`],
  ];
  const windows = process.platform === 'win32';
  const options = spawnOptions(account);
  const env = options.env && { ...options.env, ...(await disownedPid(dir)) };
  const log = openLog(cluster);
  try {
    const from = fstatSync(log).size;
    const child = spawn(
      // The server refuses to run as an administrator; pg_ctl drops these rights first.
      windows ? program(binaries, 'pg_ctl') : program(binaries, 'postgres'),
      windows ? ['start', '-w', '-D', dir, '-o', settings.join(' ')] : ['-D', dir, ...settings],
      { ...options, ...(env && { env }), detached: true, stdio: ['ignore', log, log] },
    );
    let failure = '';
    child.once('error', (error) => {
      failure = messageOf(error);
    });
    child.unref();
    const output = () => `${readFileSync(logPath(dir)).subarray(from)}${failure}`;
    return {
      isServer: (pid) => windows || pid === child.pid,
      ended() {
        if (failure === '' && child.signalCode !== null) return 'killed';
        // On Windows, pg_ctl is the process that ends, with 0 if the server runs.
        const gone = failure !== '' || (child.exitCode !== null && !(windows && child.exitCode === 0));
        return gone ? 'failed' : undefined;
      },
      output: (own) => (own ? linesOf(child.pid, output()) : output()),
    };
  } finally {
    closeSync(log);
  }
}

/**
 * A crash may leave a lock file with a process id that another program has now. PostgreSQL takes over the file if this variable contains
 * that id (as pg_ctl sets it), and still checks that no server of the cluster is alive.
 */
async function disownedPid(dir: string): Promise<{ PG_GRANDPARENT_PID?: string }> {
  const pid = readPidFile(dir)?.pid;
  return pid && !(await isPostmaster(pid, dir)) ? { PG_GRANDPARENT_PID: `${pid}` } : {};
}

/** Selects the lines of a process; each line has the process id in brackets (log_line_prefix). */
const linesOf = (pid: number | undefined, output: string): string =>
  output
    .split('\n')
    .filter((line) => line.includes(`[${pid}]`) || !/^\S+ \S+ \S+ \[\d+\]/.test(line))
    .join('\n');

function openLog({ dir, account }: Cluster): number {
  const path = logPath(dir);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes) renameSync(path, `${path}.1`);
    const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0 } = constants;
    const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600);
    if (account) fchownSync(file, account.uid, account.gid);
    return file;
  } catch (error) {
    throw new PostgresLaunchError(`The server's log ${path} cannot be written.`, messageOf(error));
  }
}

/** Returns the port of the last run, so that a restarted server keeps its address. */
async function lastPort(dir: string): Promise<number> {
  const options = await readClusterFile(dir, 'postmaster.opts');
  return Number(/"?-p"? "?(\d+)/.exec(options ?? '')?.[1] ?? 0);
}

/** Returns `wanted` if it is free, otherwise a free port of 127.0.0.1. */
function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => (wanted > 0 ? resolve(freePort(0)) : reject(error)));
    probe.listen(wanted, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** Stops the server and waits for its end. `fast` ends sessions cleanly; `immediate` needs recovery at the next start. */
export async function stopServer(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  const { dir, account, binaries } = cluster;
  const pid = readPidFile(dir)?.pid;
  if (!pid) return;
  let last = '';
  for (const step of mode === 'fast' ? (['fast', 'immediate'] as const) : (['immediate'] as const)) {
    // Without -W, pg_ctl would wait for a server that another process has started meanwhile.
    const { output } = await run(
      program(binaries, 'pg_ctl'),
      ['stop', '-W', '-s', '-D', dir, '-m', step],
      account,
    );
    const deadline = performance.now() + stopMs[step];
    while (isAlive(pid) && performance.now() < deadline) await sleep(20);
    if (!isAlive(pid)) return;
    last = output;
  }
  throw new PostgresLaunchError(
    `The PostgreSQL server of ${dir} (process ${pid}) could not be stopped.`,
    last,
  );
}
