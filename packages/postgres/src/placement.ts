import { createHash } from 'node:crypto';
import { chown, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Account, accountOf, isRoot, run, unprivilegedAccount } from './account.ts';
import { makeSharedDir, sharedDir } from './binaries.ts';
import { errorCode, messageOf, PostgresLaunchError } from './launch-error.ts';
import { findAbandoned, remove, temporaryName } from './processes.ts';

/** The folder of a cluster, and the account that its programs run as: the caller if undefined. */
export interface Placement {
  dir: string;
  account?: Account;
  /** Tells the operator where the database is, if it is not in the configured folder. */
  note?: string;
}

/** The prefix of temporary folders beside `dir`. */
export const draftPrefix = (dir: string): string => `.${basename(dir)}.init-`;

/**
 * Decides where the cluster of `dataDir` is stored. For root, the server runs as an unprivileged account. If that account cannot
 * reach `dataDir`, the cluster is in {@link sharedDir}. An existing cluster stays where it is.
 */
export async function placeCluster(dataDir: string): Promise<Placement> {
  const dir = await realDir(dataDir);
  if (!isRoot()) {
    const owner = await clusterOwner(dir);
    if (owner && process.getuid && owner.uid !== process.getuid()) {
      throw new PostgresLaunchError(
        `The database in ${dir} belongs to user ${owner.name}. Run as that user (or as root), or choose another DATA_DIR.`,
      );
    }
    return { dir };
  }
  const owner = await clusterOwner(dir);
  if (owner) return { dir, account: await checkedOwner(dir, owner) };

  const name = dir
    .replaceAll(/[^\w.]+/g, '-')
    .slice(-48)
    .replace(/^[-.]+/, '');
  const fallback = join(sharedDir, `${name}-${createHash('sha256').update(dir).digest('hex').slice(0, 8)}`);
  const note = (account: Account) =>
    `PostgreSQL runs as user ${account.name}, which cannot access ${dir}, so the database is stored in ${fallback}`;
  const fallbackOwner = await clusterOwner(fallback);
  if (fallbackOwner) {
    const account = await checkedOwner(fallback, fallbackOwner);
    return { dir: fallback, account, note: note(account) };
  }
  const account = unprivilegedAccount();
  if (await canOwnFolderBeside(dir, account)) return { dir, account };
  await makeSharedDir();
  if (await canOwnFolderBeside(fallback, account)) return { dir: fallback, account, note: note(account) };
  throw new PostgresLaunchError(
    `PostgreSQL refuses to run as root, and user ${account.name} can use neither ${dir} nor ${sharedDir}. Run as another user, or set DATABASE_URL.`,
  );
}

/** Returns the real path of a folder that need not exist. Creates its parents. */
async function realDir(dataDir: string): Promise<string> {
  const path = resolve(dataDir);
  try {
    await mkdir(dirname(path), { recursive: true });
    return await realpath(path).catch(async (error) => {
      if (errorCode(error) !== 'ENOENT') throw error;
      return join(await realpath(dirname(path)), basename(path));
    });
  } catch (error) {
    throw notWritable(dirname(path), error);
  }
}

/** Returns the owner of the cluster in `dir`; undefined without a cluster. */
async function clusterOwner(dir: string): Promise<Account | undefined> {
  try {
    await stat(join(dir, 'PG_VERSION'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    if (errorCode(error) !== 'EACCES') throw notReadable(dir, error);
  }
  // The owner of a folder is known even if it cannot be read.
  return accountOf(await stat(dir));
}

async function checkedOwner(dir: string, owner: Account): Promise<Account> {
  if (owner.uid === 0) {
    throw new PostgresLaunchError(
      `The database in ${dir} belongs to root, and PostgreSQL refuses to run as root. Give it to another user (chown -R).`,
    );
  }
  const { ok, output } = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', dir], owner);
  if (ok) return owner;
  throw new PostgresLaunchError(
    `The database in ${dir} belongs to user ${owner.name}, which cannot access it.`,
    output,
  );
}

/** Returns whether the account can use a folder beside `dir`: creates one, gives it to the account, and writes to it as that account. */
async function canOwnFolderBeside(dir: string, account: Account): Promise<boolean> {
  const draft = await makeDraft(dir);
  try {
    await chown(draft, account.uid, account.gid);
    const { ok } = await run('/bin/sh', ['-c', 'cd "$1" && : > probe', 'sh', draft], account);
    return ok && (await stat(draft)).uid === account.uid;
  } catch (error) {
    if (errorCode(error) === 'EPERM' || errorCode(error) === 'EINVAL') return false;
    throw error;
  } finally {
    await remove(draft);
  }
}

/** Creates a private temporary folder beside `dir`. The caller removes it. */
export async function makeDraft(dir: string): Promise<string> {
  const draft = join(dirname(dir), temporaryName(draftPrefix(dir)));
  try {
    await mkdir(draft, { mode: 0o700 });
  } catch (error) {
    throw notWritable(dirname(dir), error);
  }
  return draft;
}

/** Removes temporary folders beside `dir` that killed processes have left. */
export async function removeAbandonedDrafts(dir: string): Promise<void> {
  for (const draft of await findAbandoned(dirname(dir), draftPrefix(dir))) await remove(draft);
}

/** Returns the trimmed text of a file of the cluster; undefined if there is no such file. */
export async function readClusterFile(dir: string, name: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dir, name), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw notReadable(dir, error);
  }
}

const notWritable = (dir: string, error: unknown) =>
  new PostgresLaunchError(
    `The folder ${dir} is not writable. Set DATA_DIR to a writable folder.`,
    messageOf(error),
  );

const notReadable = (dir: string, error: unknown) =>
  new PostgresLaunchError(
    `The folder ${dir} is not readable. Set DATA_DIR to a readable folder.`,
    messageOf(error),
  );
