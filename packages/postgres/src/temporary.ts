import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot, unprivilegedAccount } from './account.ts';
import { type Cluster, prepareCluster, temporary } from './cluster.ts';
import { readPidFile } from './postmaster.ts';
import { abandoned, isAlive, isPostmaster, madeName, remove } from './processes.ts';
import { type Server, useServer } from './server.ts';

const prefix = 'firmdesk-postgres-';
const quitMs = 10_000;

/**
 * Opens a separate server for tests: fast, not safe against a crash of the machine, and deleted with its data on release.
 * Also removes servers that killed processes have left.
 * @throws PostgresLaunchError
 */
export async function openTemporaryServer(
  options: { log?: (message: string) => void } = {},
): Promise<Server> {
  const log = options.log ?? (() => undefined);
  await removeAbandoned();
  let cluster: Cluster | undefined;
  const discard = async () => cluster && remove(cluster.dir);
  try {
    cluster = await prepareCluster(join(tmpdir(), madeName(prefix)), temporary, log);
    return await useServer(cluster, 'immediate', log, discard);
  } catch (error) {
    if (cluster) await quitServer(cluster.dir);
    await discard();
    throw error;
  }
}

async function removeAbandoned(): Promise<void> {
  const owner = isRoot() ? unprivilegedAccount().uid : process.getuid?.();
  for (const dir of await abandoned(tmpdir(), prefix)) {
    // Every user can create any name in the folder for temporary files.
    if (owner !== undefined && (await stat(dir)).uid !== owner) continue;
    await quitServer(dir);
    await remove(dir);
  }
}

async function quitServer(dir: string): Promise<void> {
  const pid = readPidFile(dir)?.pid;
  if (!pid || !(await isPostmaster(pid, dir))) return;
  process.kill(pid, 'SIGQUIT');
  const deadline = performance.now() + quitMs;
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
}
