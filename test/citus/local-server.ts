import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { administer } from '@firmdesk/testing';
import { type Postgres, postgresIn } from '../faults/stage.ts';

const RETRY_MS = 200;

/** A server of the cluster that runs on this machine. */
export interface LocalServer extends Postgres {
  /** Starts the server after its end, as the owner of its files. Resolves when it accepts connections. */
  start(): Promise<void>;
}

/** Returns the control of a server, whose URL is that of a superuser. */
export async function localServer(url: string): Promise<LocalServer> {
  const { rows } = await administer(
    url,
    `select current_setting('data_directory') as folder, (select setting from pg_config where name = 'BINDIR') as programs`,
  );
  const { folder, programs } = rows[0] as { folder: string; programs: string };
  const { uid, gid } = await stat(folder);
  // Its sessions would look for certificates in the home of this process's account.
  const options = { ...(process.getuid?.() === 0 && { uid, gid }), cwd: '/', env: { PATH: '/usr/bin:/bin' } };
  const args = ['-D', folder, '-l', join(folder, 'restarted.log'), '-w', 'start'];
  return {
    ...postgresIn(folder),
    async start() {
      // Processes of a killed server may still be ending.
      while (!(await succeeds(promisify(execFile)(join(programs, 'pg_ctl'), args, options))))
        await setTimeout(RETRY_MS);
    },
  };
}

function succeeds(running: Promise<unknown>): Promise<boolean> {
  return running.then(
    () => true,
    () => false,
  );
}
