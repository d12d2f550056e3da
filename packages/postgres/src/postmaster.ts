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
const unwrittenPidFileMs = 5_000;
const stopMs = { fast: 60_000, immediate: 15_000 };

const logPath = (dir: string): string => join(dir, 'server.log');

/** What PostgreSQL's lock file says. The port is missing while the server is about to write it. */
export interface PidFile {
  /** 0 when the file has no content yet. */
  pid: number;
  port?: number;
}

export function readPidFile(dir: string): PidFile | undefined {
  const path = join(dir, 'postmaster.pid');
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    if (pid > 0) return { pid, ...(port > 0 && { port }) };
    // Made but not written: by a server that starts, or by one that a crash or a full disk ended just then.
    if (Date.now() - statSync(path).mtimeMs > unwrittenPidFileMs) unlinkSync(path);
    return { pid: 0 };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new PostgresLaunchError(`${path} cannot be read.`, messageOf(error));
  }
}

/** A server that this process has started, and that may come to nothing. */
export interface Launch {
  /** Whether a server that runs as process `pid` is this one. */
  isServer(pid: number): boolean;
  /** How the process has ended; undefined while it runs. */
  ended(): 'killed' | 'failed' | undefined;
  /** What the log has gained since the start; with `own`, only what the started process itself says. */
  output(own?: 'own'): string;
}

/**
 * Starts the server, detached: in a session of its own, out of reach of signals to the caller's process group, and not
 * holding the caller's event loop. PostgreSQL itself refuses where another server already runs.
 */
export async function launch(cluster: Cluster, avoidLastPort: boolean): Promise<Launch> {
  const { dir, account, binaries } = cluster;
  const port = await freePort(avoidLastPort ? 0 : await lastPort(dir));
  const settings = [
    ...['-p', `${port}`],
    ...['-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories='],
    ...['-c', `cluster_name=${cluster.name}`],
  ];
  const windows = process.platform === 'win32';
  const options = spawnOptions(account);
  const env = options.env && { ...options.env, ...(await disownedPid(dir)) };
  const log = openLog(cluster);
  try {
    const from = fstatSync(log).size;
    const child = spawn(
      // Under an administrator the server refuses to run; pg_ctl gives those rights up first.
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
        // On Windows it is pg_ctl that ends, with 0 when the server runs.
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
 * A lock file may be left from a crash, and its process id may by now be that of another program. PostgreSQL takes the
 * file over when that id is the one in this variable (as pg_ctl sets it), still checking that no server of the cluster lives.
 */
async function disownedPid(dir: string): Promise<{ PG_GRANDPARENT_PID?: string }> {
  const pid = readPidFile(dir)?.pid;
  return pid && !(await isPostmaster(pid, dir)) ? { PG_GRANDPARENT_PID: `${pid}` } : {};
}

/** Lines of other processes carry their process id in brackets (log_line_prefix). */
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

/** The port of the last run, so that a server that comes back is found where it was. */
async function lastPort(dir: string): Promise<number> {
  const options = await readClusterFile(dir, 'postmaster.opts');
  return Number(/"?-p"? "?(\d+)/.exec(options ?? '')?.[1] ?? 0);
}

/** `wanted` when it is free, else any free port of 127.0.0.1. */
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

/** Ends the server and waits until it is gone: `fast` ends its sessions orderly, `immediate` leaves the rest to recovery. */
export async function stopServer(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  const { dir, account, binaries } = cluster;
  const pid = readPidFile(dir)?.pid;
  if (!pid) return;
  let last = '';
  for (const step of mode === 'fast' ? (['fast', 'immediate'] as const) : (['immediate'] as const)) {
    // Without -W pg_ctl would go on to wait for a server that another process has started by then.
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
