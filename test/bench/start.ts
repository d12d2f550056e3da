import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchReport, figure, median, say } from './report.ts';

const RUNS = 3;
const ROOT = new URL('../..', import.meta.url).pathname;

/** Measures `pnpm start` until it is ready, with everything installed: with an empty folder, and again with its data. */
export async function run(): Promise<BenchReport> {
  const first: number[] = [];
  const second: number[] = [];
  for (let i = 0; i < RUNS; i++) {
    const dataDir = join(tmpdir(), `firmdesk-bench-${process.pid}-${i}`);
    first.push(await secondsToReady(dataDir));
    second.push(await secondsToReady(dataDir));
    await rm(dataDir, { recursive: true, force: true });
    say(`run ${i + 1} of ${RUNS}: first ${first.at(-1)} s, second ${second.at(-1)} s`);
  }
  return {
    bench: 'start',
    figures: [
      figure('first start, with migration and demo data, until ready (s)', median(first), '<= 3'),
      figure('second start, until ready (s)', median(second), '<= 1.5'),
    ],
    raw: { first_seconds: first, second_seconds: second },
  };
}

async function secondsToReady(dataDir: string): Promise<number> {
  const pnpm = process.env['npm_execpath'];
  const [command, args] = pnpm?.endsWith('js')
    ? [process.execPath, [pnpm, 'start']]
    : [pnpm ?? 'pnpm', ['start']];
  const started = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (/listens on/.test(text)) break;
  }
  const url = /listens on (\S+)/.exec(text)?.[1];
  if (!url || !(await fetch(`${url}/readyz`)).ok)
    throw new Error(`The gateway did not become ready:\n${text}`);
  const seconds = (performance.now() - started) / 1000;
  child.stdout.resume();
  process.kill(-child.pid!, 'SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
  return Math.round(seconds * 100) / 100;
}
