import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { messageOf } from './launch-error.ts';

/** The account under which PostgreSQL's programs run instead of root. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** Returns whether the caller is root on Linux, who must change the account. Otherwise PostgreSQL runs as the caller. */
export const isRoot = (): boolean => process.platform === 'linux' && process.getuid?.() === 0;

function passwd(): Account[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Returns the account to use instead of root, under which PostgreSQL refuses to run. */
export function unprivilegedAccount(): Account {
  const accounts = passwd().filter(({ uid }) => uid !== 0);
  return (
    accounts.find(({ name }) => name === 'postgres') ??
    accounts.find(({ name }) => name === 'nobody') ?? { name: 'nobody', uid: 65_534, gid: 65_534 }
  );
}

export function accountOf(owner: { uid: number; gid: number }): Account {
  return (
    passwd().find(({ uid }) => uid === owner.uid) ?? { name: `#${owner.uid}`, uid: owner.uid, gid: owner.gid }
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

/** Runs a program to its end. If it cannot be started, it counts as failed with the reason as its output. */
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
