import { appendFile, chmod, cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isRoot, run, unprivilegedAccount } from './account.ts';
import { type Cluster, prepareCluster, type Settings, temporarySettings } from './cluster.ts';
import { placeCluster } from './placement.ts';
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
  options: { log?: (message: string) => void; settings?: Settings } = {},
): Promise<Server> {
  const log = options.log ?? (() => undefined);
  await removeAbandoned();
  let cluster: Cluster | undefined;
  const discard = async () => cluster && remove(cluster.dir);
  try {
    const settings = { ...temporarySettings, ...options.settings };
    cluster = await prepareCluster(join(tmpdir(), temporaryName(prefix)), settings, log);
    return await useServer(cluster, 'temporary', log);
  } catch (error) {
    if (cluster) await killServer(cluster.dir);
    await discard();
    throw error;
  }
}

/** The settings of a temporary server that replicas can follow. */
export const primarySettings: Settings = {
  wal_level: 'replica',
  max_wal_senders: '4',
  hot_standby: 'on',
  wal_keep_size: '256MB',
};

/**
 * Opens a streaming replica of a temporary server that runs with {@link primarySettings}. Deleted on release, like that server.
 * Copies the files while the server runs, as `pg_basebackup` does, which the embedded programs do not include.
 */
export async function openTemporaryReplica(primary: Server): Promise<Server> {
  const log = () => undefined;
  const placement = await placeCluster(join(tmpdir(), temporaryName(prefix)));
  const { dir, account } = placement;
  const discard = () => remove(dir);
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const from = rows[0]!.data_directory;
    await client.query(`select pg_backup_start('replica', true)`);
    await cp(from, dir, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => isBackedUp(path, from),
    });
    const { rows: stopped } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    await mkdir(join(dir, 'pg_wal'), { recursive: true });
    await writeFile(join(dir, 'backup_label'), stopped[0]!.labelfile);
    await writeFile(join(dir, 'standby.signal'), '');
    const { hostname, port, password } = new URL(primary.url);
    await appendFile(
      join(dir, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${hostname} port=${port} user=postgres password=${decodeURIComponent(password)}'\n`,
    );
    await chmod(dir, 0o700);
    if (account) await run('chown', ['-R', `${account.uid}:${account.gid}`, dir], undefined);
  } catch (error) {
    await discard();
    throw error;
  } finally {
    await client.end();
  }
  const cluster = await prepareCluster(dir, temporarySettings, log);
  return useServer(cluster, 'temporary', log);
}

/** The write-ahead log is streamed; the other files belong to the running server. */
function isBackedUp(path: string, from: string): boolean {
  const name = path.slice(from.length + 1).replaceAll('\\', '/');
  return !/^(pg_wal\/.+|postmaster\.(pid|opts)|server\.log.*|\.s\.PGSQL\..+|pg_stat_tmp\/.+|pg_replslot\/.+)$/.test(
    name,
  );
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
