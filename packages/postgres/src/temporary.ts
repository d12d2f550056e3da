import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRoot, unprivilegedAccount } from './account.ts';
import { type Cluster, prepareCluster, temporarySettings } from './cluster.ts';
import { readPidFile } from './postmaster.ts';
import { findAbandoned, isAlive, isPostmaster, remove, temporaryName } from './processes.ts';
import { type Server, useServer } from './server.ts';

const prefix = 'firmdesk-postgres-';
const killMs = 10_000;

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
    cluster = await prepareCluster(join(tmpdir(), temporaryName(prefix)), temporarySettings, log);
    return await useServer(cluster, 'immediate', log, discard);
  } catch (error) {
    if (cluster) await killServer(cluster.dir);
    await discard();
    throw error;
  }
}

/** Deletes the servers of processes that have ended without a release. */
async function removeAbandoned(): Promise<void> {
  const owner = isRoot() ? unprivilegedAccount().uid : process.getuid?.();
  for (const dir of await findAbandoned(tmpdir(), prefix)) {
    // Any user can create a folder with this name.
    if (owner !== undefined && (await stat(dir)).uid !== owner) continue;
    await killServer(dir);
    await remove(dir);
  }
}

/** Ends a server without a shutdown checkpoint: its data is deleted anyway. */
async function killServer(dir: string): Promise<void> {
  const pid = readPidFile(dir)?.pid;
  if (!pid || !(await isPostmaster(pid, dir))) return;
  process.kill(pid, 'SIGQUIT');
  const deadline = performance.now() + killMs;
  while (isAlive(pid) && performance.now() < deadline) await sleep(20);
}
