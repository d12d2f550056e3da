import { createHash, randomBytes } from 'node:crypto';
import { chown, open, readdir, rename, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './account.ts';
import { type Binaries, findBinaries, program } from './binaries.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import {
  makeDraft,
  type Placement,
  placeCluster,
  readClusterFile,
  removeAbandonedDrafts,
} from './placement.ts';
import { remove } from './processes.ts';

/** A cluster on disk that can be started. */
export interface Cluster extends Placement {
  /** Part of the titles of its processes. */
  name: string;
  binaries: Binaries;
  /** The password of the superuser `postgres`. */
  password: string;
}

/** Settings that are written once into `postgresql.conf`, where the owner may change them. In PostgreSQL's units. */
export type Settings = Record<string, string>;

const common: Settings = {
  // Enough for about six processes of Firmdesk, and for sessions of killed ones that the server has not ended yet.
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // Personal data must not be logged.
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  // There are no replicas.
  wal_level: 'minimal',
  max_wal_senders: '0',
};

export const persistentSettings: Settings = { ...common, shared_buffers: '256MB', random_page_cost: '1.1' };

/** Settings for data that may be lost in a crash. */
export const temporarySettings: Settings = {
  ...common,
  shared_buffers: '128MB',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

const passwordFile = 'superuser-password';

/** Finds or creates the cluster of a data directory. If two processes create it concurrently, both use the one that is in place first. */
export async function prepareCluster(
  dataDir: string,
  settings: Settings,
  log: (message: string) => void,
): Promise<Cluster> {
  const placement = await placeCluster(dataDir);
  const binaries = await findBinaries(placement.account);
  await removeAbandonedDrafts(placement.dir);
  if ((await readClusterFile(placement.dir, 'PG_VERSION')) === undefined) {
    log(`Creating the database in ${placement.dir}`);
    await createCluster(placement, binaries, settings);
  }
  const version = await readClusterFile(placement.dir, 'PG_VERSION');
  if (version !== binaries.major) {
    throw new PostgresLaunchError(
      `The database in ${placement.dir} was created by PostgreSQL ${version}, which PostgreSQL ${binaries.major} cannot open. ` +
        `Move its contents with pg_dump, choose another DATA_DIR, or set DATABASE_URL to a PostgreSQL ${version} server.`,
    );
  }
  const password = await readClusterFile(placement.dir, passwordFile);
  if (!password) {
    throw new PostgresLaunchError(
      `The database in ${placement.dir} was not created by Firmdesk: its file ${passwordFile} is missing. Choose another DATA_DIR, or set DATABASE_URL.`,
    );
  }
  const notes = [placement.note, binaries.note].filter((note) => note !== undefined);
  return {
    ...placement,
    name: `firmdesk-${createHash('sha256').update(placement.dir).digest('hex').slice(0, 12)}`,
    binaries,
    password,
    ...(notes.length > 0 && { note: `As root: ${notes.join('; ')}.` }),
  };
}

/** Creates the cluster in a temporary folder and renames it, so that an incomplete one is never visible. */
async function createCluster(placement: Placement, binaries: Binaries, settings: Settings): Promise<void> {
  const { dir, account } = placement;
  const found = await readdir(dir).catch(() => []);
  if (found.length > 0) throw occupied(dir);
  const draft = await makeDraft(dir);
  try {
    const data = join(draft, 'data');
    const password = join(draft, 'password');
    await writeFile(password, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600 });
    if (account) for (const path of [password, draft]) await chown(path, account.uid, account.gid);
    const { ok, output } = await run(
      program(binaries, 'initdb'),
      initdbArguments(data, password, settings),
      account,
    );
    if (!ok) throw new PostgresLaunchError(`The database could not be created in ${dirname(dir)}.`, output);
    await rename(password, join(data, passwordFile));
    await moveIntoPlace(data, dir);
  } finally {
    await remove(draft);
  }
}

/**
 * Returns the arguments of initdb. Sorting by byte order, and Unicode character classes (which `lower` takes from LC_CTYPE),
 * are the same on every host.
 */
function initdbArguments(data: string, password: string, settings: Settings): string[] {
  const characterTypes = { linux: ['--lc-ctype=C.UTF-8'], darwin: ['--lc-ctype=en_US.UTF-8'] }[
    process.platform as string
  ];
  return [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${password}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(characterTypes ?? []),
    ...(settings['fsync'] === 'off' ? ['--no-sync'] : []),
    ...Object.entries(settings).map(([name, value]) => `--set=${name}=${value}`),
  ];
}

async function moveIntoPlace(data: string, dir: string): Promise<void> {
  try {
    // Only POSIX can rename a folder onto an empty one.
    if (process.platform === 'win32') await rmdir(dir).catch(() => undefined);
    await rename(data, dir);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(errorCode(error))) {
      const hint =
        errorCode(error) === 'EBUSY' ? ' A mount point cannot be used itself, but a folder in it can.' : '';
      throw new PostgresLaunchError(`The database could not be moved to ${dir}.${hint}`, messageOf(error));
    }
    // Another process was faster; use its cluster.
    if ((await readClusterFile(dir, 'PG_VERSION')) === undefined) throw occupied(dir);
    return;
  }
  if (process.platform === 'win32') return;
  const parent = await open(dirname(dir));
  await parent.sync().finally(() => parent.close());
}

const occupied = (dir: string) =>
  new PostgresLaunchError(
    `The folder ${dir} is not empty and contains no database. Empty it or choose another DATA_DIR.`,
  );
