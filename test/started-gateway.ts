import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = new URL('../apps/gateway/src/main.ts', import.meta.url).pathname;
const OPS = new URL('../apps/gateway/src/ops/main.ts', import.meta.url).pathname;
const START_MS = 90_000;

/** A gateway as a person starts it: a process of its own, known by what it prints. */
export interface StartedGateway {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with its exit code. */
  exited: Promise<number | null>;
  /** The address it prints; rejects when it ends before. */
  listening: Promise<string>;
}

export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'firmdesk-test-'));
  // PostgreSQL, which runs as somebody else under root, must reach it.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Of what it says on stderr, the end. */
const KEPT_STDERR = 65_536;

/**
 * @param preload a module that is loaded into the process first, and can be sent messages
 * @param main the gateway's entry point, of this tree or of a copy
 */
export function startGateway(
  env: Record<string, string>,
  args: string[] = [],
  preload?: string,
  main: string = MAIN,
): StartedGateway {
  const child = spawn(process.execPath, [...(preload ? ['--import', preload] : []), main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(preload ? (['ipc'] as const) : [])],
  });
  let stdout = '';
  let stderr = '';
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const listening = new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${stdout}${stderr}`));
    const timer = setTimeout(() => fail('The gateway did not start in time.'), START_MS);
    child.stdout!.on('data', (chunk) => {
      stdout += chunk;
      const url = /listens on (\S+)/.exec(stdout)?.[1];
      if (!url) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.stderr!.on('data', (chunk) => {
      stderr = (stderr + chunk).slice(-KEPT_STDERR);
    });
    exited.then(() => {
      clearTimeout(timer);
      fail('The gateway ended.');
    });
  });
  // Whoever waits for the end alone need not ask for the address.
  listening.catch(() => {});
  return { child, exited, listening, stdout: () => stdout, stderr: () => stderr };
}

/** Asks it to stop as a supervisor does, and waits until it has. */
export async function stop({ child, exited }: StartedGateway): Promise<number | null> {
  child.kill('SIGTERM');
  return exited;
}

export interface OpsResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs `pnpm ops …`. */
export async function ops(env: Record<string, string>, args: string[], input = ''): Promise<OpsResult> {
  const child = spawn(process.execPath, [OPS, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
