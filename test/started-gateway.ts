import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const MAIN = new URL('../apps/gateway/src/main.ts', import.meta.url).pathname;
const OPS = new URL('../apps/gateway/src/ops/main.ts', import.meta.url).pathname;
const START_MS = 90_000;

/** A gateway that runs as a process, observed by its output. */
export interface StartedGateway {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code. */
  exited: Promise<number | null>;
  /** Resolves with the printed address; rejects if the process ends first. */
  listening: Promise<string>;
}

/** Creates a folder that every account can enter. Disposing of it deletes it. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'firmdesk-test-'));
  // For root, PostgreSQL runs under another account, which must reach the folder.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** The length of the stored end of stderr, in characters. */
const KEPT_STDERR = 65_536;

/**
 * Starts a gateway as a process, with only the given environment variables.
 * @param preload a module to load first, which can receive messages
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
    const fail = (reason: string) => reject(new Error(`${reason}\n${stdout}${stderr}`));
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
  // A test that only waits for the end does not handle this promise.
  listening.catch(() => {});
  return { child, exited, listening, stdout: () => stdout, stderr: () => stderr };
}

/** Stops the process with SIGTERM and returns its exit code. */
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
