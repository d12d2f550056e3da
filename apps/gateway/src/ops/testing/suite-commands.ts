import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countLockWaiters } from '@firmdesk/testing';
import type { TestGateway } from '@firmdesk/testing/gateway';
import { afterAll, expect, vi } from 'vitest';
import { runNode } from './run-node.ts';

const MAIN = new URL('../main.ts', import.meta.url).pathname;

/** Prepares a test file that runs commands on the database of its gateway. */
export async function suiteCommands({ databaseUrl, services }: TestGateway) {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-ops-'));
  afterAll(() => rm(folder, { recursive: true }));
  // Each command is a process, which takes long on a busy machine.
  vi.setConfig({ testTimeout: 300_000 });
  const env = { DATABASE_URL: databaseUrl };
  const ops = (...args: string[]) => runNode('ops/main.ts', args, env, folder);
  return {
    /** The working directory of the commands. */
    folder,
    ops,
    /** Runs a command that must succeed, and returns its result. */
    async result(...args: string[]) {
      const { code, stdout, stderr } = await ops(...args, '--json');
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    },
    /** Starts a command, and kills it while it waits for the rows that a statement locks. */
    async killAtLock(lock: { text: string; values: unknown[] }, ...args: string[]): Promise<void> {
      const client = await services.pool.connect();
      await client.query('begin');
      // The command may take longer to start than a transaction may be idle.
      await client.query('set local idle_in_transaction_session_timeout = 0');
      await client.query(lock);
      const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env, stdio: 'ignore' });
      await vi.waitFor(async () => expect(await countLockWaiters(databaseUrl)).toBeGreaterThan(0), {
        timeout: 120_000,
        interval: 50,
      });
      child.kill('SIGKILL');
      await once(child, 'exit');
      await client.query('rollback');
      client.release();
    },
  };
}
