import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestLog } from '@firmdesk/testing';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { openInstallation } from './installation.ts';

test('stops the embedded PostgreSQL even if closing the services fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // Under root, PostgreSQL runs as another user, who must have access.
  await chmod(folder, 0o755);
  const config = readConfig({ DATA_DIR: folder }, '/');
  const installation = await openInstallation(config, new TestLog());
  const pid = Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  const failure = new Error('The provider cannot be closed.');
  installation.services.push.close = () => Promise.reject(failure);
  await expect(installation.close()).rejects.toBe(failure);
  // The process is gone shortly after its server has stopped.
  await expect.poll(() => isRunning(pid)).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
