import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';

/** Returns whether a program is installed. Otherwise prints which tests are skipped. */
export function isInstalled(program: string, tests: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'pipe' });
    return true;
  } catch {
    console.warn(`${program} is not installed: ${tests} are not tested`);
    return false;
  }
}

export interface Pooler extends AsyncDisposable {
  /** The URL of the same database through the pooler. */
  url: string;
}

/** Starts PgBouncer before a database. */
export async function openPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction' | 'statement',
  poolSize: number,
): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-pgbouncer-'));
  await chmod(folder, 0o755);
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const ownPort = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
desk = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${poolSize}
max_client_conn = 500
`,
  );
  const child: ChildProcess = spawn(
    'pgbouncer',
    [...(process.getuid?.() === 0 ? ['-u', 'nobody'] : []), file],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let output = '';
  child.stderr!.on('data', (chunk) => {
    output += chunk;
  });
  const exited = once(child, 'exit');
  const url = `postgres://desk@127.0.0.1:${ownPort}/desk`;
  const close = async () => {
    child.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true });
  };
  while (!(await answers(url))) {
    if (child.exitCode === null) continue;
    await close();
    throw new Error(`PgBouncer ended: ${output}`);
  }
  return { url, [Symbol.asyncDispose]: close };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.query('select');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
