import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { isRoot, unprivilegedAccount } from '../account.ts';
import { isAlive } from '../processes.ts';

/** The answers of `holder.ts`. */
export interface Answer {
  url: string;
  socketUrl: string;
  started: boolean;
  note?: string;
  drained?: number;
  released?: boolean;
}

/** Waits until a condition holds. The description completes the message "Timed out waiting until …". */
export async function until(condition: () => boolean | Promise<boolean>, description: string): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out waiting until ${description}`);
    await sleep(20);
  }
}

/** Creates a folder that every user can reach. After the test its server is killed and the folder removed. */
export function reachableFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'firmdesk-launcher-'));
  chmodSync(folder, 0o755);
  onTestFinished(async () => {
    await killPostmaster(join(folder, 'postgres'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
  return folder;
}

export function postmasterOf(dataDir: string): number | undefined {
  const path = join(dataDir, 'postmaster.pid');
  return existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : undefined;
}

/** Only for folders whose pid file was written by their own server. */
export async function killPostmaster(dataDir: string, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const pid = postmasterOf(dataDir);
  if (!pid || !isAlive(pid)) return;
  process.kill(pid, signal);
  await until(() => !isAlive(pid), `the postmaster ${pid} has ended`);
}

/** Starts a process that uses the server. Killed at the end of the test if it still runs. */
export function spawnHolder(...args: string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'holder.ts'), args, { detached: true, stdio: 'inherit' });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

export async function answerOf(child: ChildProcess): Promise<Answer> {
  const gone = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The process ended with ${code ?? signal} instead of answering`);
  });
  const [answer] = await Promise.race([once(child, 'message'), gone]);
  return answer;
}

export async function release(child: ChildProcess): Promise<void> {
  child.send('release');
  await answerOf(child);
  if (child.exitCode === null) await once(child, 'exit');
}

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Kills a process and its server, so that nothing stops the server in order. */
export async function crash(child: ChildProcess, dataDir: string): Promise<void> {
  // A frozen process does not restart its server.
  child.kill('SIGSTOP');
  await killPostmaster(dataDir);
  await kill(child);
}

/** Returns the processes that wait for the end of a user of the server (Linux). */
export function watchesOf(dataDir: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return environment.startsWith('FIRMDESK_POSTGRES_CLUSTER') && environment.includes(`"${dataDir}"`);
    } catch {
      return false;
    }
  });
}

/** Runs a statement on a separate connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const asServerUser = isRoot() ? unprivilegedAccount() : undefined;

/** Starts another program as the server's user. */
export function spawnForeign(): number {
  const { uid, gid } = asServerUser ?? {};
  const child = spawn('sleep', ['300'], {
    cwd: '/',
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
  });
  onTestFinished(async () => {
    child.kill();
    await once(child, 'exit');
  });
  return child.pid!;
}

/** Writes a file that belongs to the server's user. */
export function writeAsServerUser(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 });
  if (asServerUser) chownSync(path, asServerUser.uid, asServerUser.gid);
}
