import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';

const children: ChildProcess[] = [];
afterEach(() => children.splice(0).forEach((child) => void child.kill('SIGKILL')));

/** Starts a process that logs 80 MB while nothing reads its log. Returns by how many MiB its memory grew. */
async function startLogFlood(): Promise<{ child: ChildProcess; grownMiB: number }> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', new URL('testing/log-flood.ts', import.meta.url).pathname],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  children.push(child);
  const [line] = await once(child.stdout!, 'data');
  return { child, grownMiB: Number(line) };
}

test('an unread log delays neither the process nor its exit', async () => {
  const { child, grownMiB } = await startLogFlood();
  expect(grownMiB).toBeLessThan(20);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
});

test('logs the number of dropped lines when the log is read again', async () => {
  const { child } = await startLogFlood();
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += chunk;
  });
  await expect.poll(() => log.includes('log lines were dropped')).toBe(true);
  expect(log).toMatch(/"dropped":\d{3,}/);
});

test('writes each line within moments, without a later line that would push it out', async () => {
  const child = spawn(process.execPath, [new URL('testing/log-pauses.ts', import.meta.url).pathname], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  children.push(child);
  let log = '';
  child.stderr!.on('data', (chunk) => {
    log += chunk;
  });
  for (const line of ['first', 'second', 'third']) {
    child.stdin!.write(`${line}\n`);
    await expect.poll(() => log, { timeout: 20_000 }).toContain(line);
  }
});
