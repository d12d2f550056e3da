import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createTemplate } from '@firmdesk/testing';
import { createTicketFixture, followTicket, openTestGateway } from '@firmdesk/testing/gateway';
import pg from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../free-port.ts';
import { isInstalled } from './is-installed.ts';

const TIMEOUT_MS = 300_000;
const WAIT = { timeout: 60_000 };
const DEBIAN = '/usr/lib/postgresql';

/** Returns the folder of Debian's PostgreSQL programs; null if there is none. */
function programs(): string | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
  const found = versions
    .map((version) => `${DEBIAN}/${version}/bin`)
    .find((bin) => existsSync(`${bin}/initdb`));
  if (!found) process.stderr.write('Skipped: PostgreSQL is not installed (Debian: postgresql).\n');
  return found ?? null;
}

const bin = programs();
const execute = promisify(execFile);

/** Runs a program as the account of the server, which refuses to run as root. */
async function run(program: string, ...args: string[]): Promise<string> {
  const command = userInfo().uid === 0 ? ['runuser', '-u', 'postgres', '--', program] : [program];
  const { stdout } = await execute(command[0]!, [...command.slice(1), ...args], {
    cwd: '/',
    env: { PATH: `${bin}:/usr/bin:/bin:/usr/sbin:/sbin` },
  });
  return stdout.trim();
}

/** Creates a server that archives its log with pgBackRest, as docs/operations/restore.md describes. */
async function openArchivedServer() {
  const folder = await mkdtemp(join(tmpdir(), 'firmdesk-restore-'));
  await chmod(folder, 0o755);
  for (const name of ['data', 'repository', 'log', 'socket'])
    await mkdir(join(folder, name), { mode: 0o700 });
  if (userInfo().uid === 0) {
    const [uid, gid] = (await Promise.all(['-u', '-g'].map((flag) => execute('id', [flag, 'postgres'])))).map(
      ({ stdout }) => Number(stdout),
    );
    for (const name of ['.', 'data', 'repository', 'log', 'socket'])
      await chown(join(folder, name), uid!, gid!);
  }
  const port = await freePort();
  const config = join(folder, 'pgbackrest.conf');
  await writeFile(
    config,
    `[global]
repo1-path=${folder}/repository
log-path=${folder}/log
lock-path=${folder}/log
repo1-retention-full=2
start-fast=y
[desk]
pg1-path=${folder}/data
pg1-port=${port}
pg1-socket-path=${folder}/socket
pg1-user=postgres
`,
  );
  const data = join(folder, 'data');
  const backrest = (...args: string[]) => run('pgbackrest', `--config=${config}`, '--stanza=desk', ...args);
  const settings = [
    `-p ${port}`,
    `-c listen_addresses=127.0.0.1`,
    `-c unix_socket_directories=${folder}/socket`,
    `-c archive_mode=on`,
    `-c archive_timeout=2`,
    `-c wal_level=replica`,
    `-c archive_command='pgbackrest --config=${config} --stanza=desk archive-push %p'`,
  ].join(' ');
  const start = () =>
    run('pg_ctl', 'start', '-w', '-s', '-D', data, '-l', `${folder}/log/server.log`, '-o', settings);
  const stop = () => run('pg_ctl', 'stop', '-m', 'fast', '-s', '-D', data);
  await run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8');
  await start();
  onTestFinished(async () => {
    await stop().catch(() => {});
    await rm(folder, { recursive: true, force: true });
  });
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, folder, backrest, start, stop };
}

describe.skipIf(bin === null)('a backup is restored', () => {
  test.skipIf(!isInstalled('pgbackrest'))(
    'to a point in time by pgBackRest, while a gateway runs: viewers get resync, and then miss nothing',
    async () => {
      const server = await openArchivedServer();
      await createTemplate(server.url);
      await using gateway = await openTestGateway(server.url);
      await server.backrest('stanza-create');
      await server.backrest('backup', '--type=full');
      // pgBackRest compares whole seconds: a moment in the second in which the backup ended is before it.
      const [{ backup }] = JSON.parse(await server.backrest('info', '--output=json'));
      await vi.waitFor(
        () => expect(Date.now()).toBeGreaterThan((backup[0].timestamp.stop + 1) * 1_000),
        WAIT,
      );

      const fixture = await createTicketFixture(gateway);
      const ticket = await fixture.createTicket();
      using viewer = await followTicket({ url: gateway.url, token: fixture.token, ticket });
      const addNote = async (body: string) => {
        const { code } = await gateway.rpc('tickets.addNote', {
          token: fixture.token,
          body: { ticket, body },
        });
        expect(code).toBeNull();
      };
      const notes = () =>
        viewer.events.flatMap(({ data }) => (data.type === 'message.created' ? [data.message.body] : []));
      await addNote('kept');
      await vi.waitFor(() => expect(notes()).toEqual(['kept']), WAIT);
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const { rows } = await client.query<{ at: string }>('select clock_timestamp()::text as at');
      // The next commit is after this moment.
      await client.query('select pg_sleep(0.1)');
      await addNote('lost');
      await vi.waitFor(() => expect(notes()).toEqual(['kept', 'lost']), WAIT);
      // The log of this moment is archived.
      await client.query('select pg_switch_wal()');
      await client.end();

      await server.stop();
      expect((await gateway.request('GET /readyz')).status).toBe(503);
      await server.backrest(
        'restore',
        '--delta',
        '--type=time',
        `--target=${rows[0]!.at}`,
        '--target-action=promote',
      );
      await server.start();

      await vi.waitFor(async () => expect((await gateway.request('GET /readyz')).status).toBe(200), WAIT);
      await vi.waitFor(() => addNote('after'), WAIT);
      await vi.waitFor(() => expect(viewer.types()).toContain('resync'), WAIT);
      await addNote('last');
      await vi.waitFor(() => expect(notes().at(-1)).toBe('last'), WAIT);
      expect(viewer.errors).toEqual([]);
      const stored = await gateway.services.pool.query<{ body: string }>(
        `select body from ticket_messages where body in ('kept', 'lost', 'after', 'last') order by created_at`,
      );
      expect(stored.rows.map(({ body }) => body)).toEqual(['kept', 'after', 'last']);
    },
    TIMEOUT_MS,
  );

  test(
    'from pg_dump into an empty database, which a gateway then serves',
    async () => {
      const server = await openArchivedServer();
      await createTemplate(server.url);
      await using gateway = await openTestGateway(server.url);
      const fixture = await createTicketFixture(gateway);
      const ticket = await fixture.createTicket();
      const dump = join(server.folder, 'log', 'desk.dump');
      await run('pg_dump', '--format=custom', '--no-owner', `--file=${dump}`, gateway.databaseUrl);
      const restored = new URL(server.url);
      restored.pathname = '/restored';
      await run('createdb', `--maintenance-db=${server.url}`, 'restored');
      await run('pg_restore', '--no-owner', '--exit-on-error', `--dbname=${restored.href}`, dump);
      const second = await gateway.secondNode(restored.href);
      expect((await second.request('GET /readyz')).body).toMatchObject({ ok: true });
      const { data } = await second.rpc('tickets.get', { token: fixture.token, body: { ticket } });
      expect(data).toMatchObject({ id: ticket });
    },
    TIMEOUT_MS,
  );
});
