import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { messageOf } from './launch-error.ts';

/** The account under which PostgreSQL's programs run instead of root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Returns whether this process runs as root on Linux. PostgreSQL then runs as another account, otherwise as the caller. */
export const isRoot = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

/** Returns the accounts of `/etc/passwd`. */
function localAccounts(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Returns the account to use instead of root, under which PostgreSQL refuses to run. */
export function unprivilegedAccount(): Account {
  const accounts = localAccounts().filter(({ uid }) => uid !== 0);
  return (
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody') ?? { name: 'nobody', uid: 65_534, gid: 65_534 }
  );
}

/** Returns the account of a file's owner. An owner that is not in `/etc/passwd` is named by its id. */
export function accountOf(owner: { uid: number; gid: number }): Account {
  return (
    localAccounts().find(({ uid }) => uid === owner.uid) ?? {
      name: `#${owner.uid}`,
      uid: owner.uid,
      gid: owner.gid,
    }
  );
}

/**
 * Returns the options for starting PostgreSQL's programs: as the account, in a folder that every account can enter, and without
 * the caller's PG* and locale variables. Programs on Windows need the existing environment.
 */
export function spawnOptions(account: Account | undefined) {
  return {
    cwd: '/',
    windowsHide: true,
    ...(process.platform === 'win32' ? {} : { env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }),
    ...(account && { uid: account.uid, gid: account.gid }),
  };
}

/** Runs a program and returns its output. A program that cannot be started counts as failed, with the reason as output. */
export function run(
  command: string,
  args: string[],
  account?: Account,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...spawnOptions(account), stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-16_384);
      });
    }
    child.once('error', (error) => resolve({ ok: false, output: messageOf(error) }));
    child.once('close', (code) => resolve({ ok: code === 0, output }));
  });
}
