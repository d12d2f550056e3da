import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { run } from './account.ts';
import { errorCode } from './launch-error.ts';

const linux = process.platform === 'linux';

/** Returns state and start time (clock ticks since boot) from proc_pid_stat(5); undefined if there is no such process. */
function procStat(pid: number): { state: string; startTime: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', startTime: fields[19] ?? '0' };
  } catch {
    return undefined;
  }
}

/** Returns whether a process with this id runs, of any user. Zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return !linux || procStat(pid)?.state !== 'Z';
}

/** Returns the command line as arguments (Linux) or as one string (elsewhere); [] if it is unknown. */
async function commandLine(pid: number): Promise<string[]> {
  if (linux) {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    } catch {
      return [];
    }
  }
  if (process.platform === 'win32') return [];
  const { output } = await run('ps', ['-o', 'args=', '-p', String(pid)]);
  return [output];
}

/** Returns whether `pid` is the postmaster of this cluster. Always false on Windows, where PostgreSQL itself checks it. */
export async function isPostmaster(pid: number, dir: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const args = await commandLine(pid);
  if (!linux) return args.some((line) => line.includes(dir) && /postgres\b/.test(line));
  if (basename(args[0] ?? '') !== 'postgres') return false;
  if (args.includes(dir)) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dir;
  } catch {
    return false;
  }
}

/** Returns the processes of a cluster's server that remain after its postmaster has ended (Linux), found by their title. */
export function orphans(clusterName: string): number[] {
  if (!linux) return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`postgres: ${clusterName}: `);
    } catch {
      return false;
    }
  });
}

/** Identifies this process: a process id alone can be reused. */
const ownTag = `${process.pid}-${linux ? (procStat(process.pid)?.startTime ?? '0') : '0'}`;

/** Returns a unique name for a temporary folder of this process, with its id and start time. */
export const temporaryName = (prefix: string): string =>
  `${prefix}${ownTag}-${randomBytes(4).toString('hex')}`;

function hasOwnerEnded(tag: string): boolean {
  const [, pid, startTime] = /^(\d+)-(\d+)-[0-9a-f]{8}$/.exec(tag) ?? [];
  if (pid === undefined) return false;
  if (!isAlive(Number(pid))) return true;
  return linux && procStat(Number(pid))?.startTime !== startTime;
}

/** Returns the folders in `parent` that processes which have ended have named by {@link temporaryName}. */
export async function findAbandoned(parent: string, prefix: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => []);
  return names
    .filter((name) => name.startsWith(prefix) && hasOwnerEnded(name.slice(prefix.length)))
    .map((name) => join(parent, name));
}

/** Deletes a file or folder if it exists. */
export const remove = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
