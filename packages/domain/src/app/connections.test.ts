import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTemporaryReplica, openTemporaryServer, primarySettings } from '@firmdesk/postgres';
import { createDatabase, databaseUrl, dropDatabase, openTcpProxy, unique } from '@firmdesk/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { readinessName } from '../platform/connections/connected-versions.ts';
import { createClient } from '../platform/connections/connection.ts';
import { migrate } from '../platform/database/migrations/migrate.ts';
import { withSetupLock } from '../platform/database/migrations/setup-lock.ts';
import { startWorker } from '../platform/jobs/worker.ts';
import type { Services } from '../platform/services.ts';
import { migrations } from './migrations/index.ts';
import { closeServices, createServices } from './services.ts';

type Server = Awaited<ReturnType<typeof openTemporaryServer>>;

interface Session {
  application_name: string;
  ssl: boolean;
}

/** Opens every connection that a process opens, and returns what the server says of them. */
async function openEverything(url: string): Promise<Session[]> {
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  const seen = new Map<string, Session>();
  const look = async () => {
    const { rows } = await services.pool.query<Session>(
      `select application_name, ssl from pg_stat_activity join pg_stat_ssl using (pid)
       where datname = current_database() and application_name !~ '^(user of the server|$)'`,
    );
    for (const row of rows) seen.set(row.application_name.replace(/ [0-9a-f-]{36}$/, ''), row);
  };
  try {
    await withSetupLock(url, async () => {
      await migrate(services);
      await look();
    });
    const stop = services.signals.on('test', () => {});
    const worker = await startWorker(services, [], []);
    for (const pool of [services.searchPool, services.connections.readinessPool, services.metricsPool])
      await pool.query('select');
    await expect.poll(() => services.signals.isListening).toBe(true);
    await expect
      .poll(async () => {
        await look();
        return seen.size;
      })
      .toBeGreaterThanOrEqual(8);
    stop();
    await worker.stop();
  } finally {
    await closeServices(services);
  }
  return [...seen.values()];
}

const uses = [
  'lease',
  'main',
  'metrics',
  readinessName(migrations.at(-1)!.name),
  'search',
  'signals',
  'setup lock',
  'worker',
];

test('gives every connection the application name and the schema of the URL', async () => {
  const server = inject('postgresUrl');
  const name = unique('schema');
  const url = await createDatabase(server, name);
  try {
    const setup = createClient(url, { name: 'test' });
    await setup.connect();
    await setup.query('create schema desk');
    await setup.end();
    const sessions = await openEverything(`${url}?application_name=desk-2&search_path=desk`);
    const names = sessions.map((each) => each.application_name.replace(/ [0-9a-f-]{36}$/, ''));
    expect(names).toEqual(expect.arrayContaining(uses.map((use) => `desk-2 ${use}`)));
    expect(names.filter((each) => !each.startsWith('desk-2 '))).toEqual([]);
    const looking = createClient(url, { name: 'test' });
    await looking.connect();
    const { rows } = await looking.query(
      `select schemaname, count(*)::int > 20 as many from pg_tables where schemaname in ('public', 'desk') group by 1`,
    );
    await looking.end();
    expect(rows).toEqual([{ schemaname: 'desk', many: true }]);
  } finally {
    await dropDatabase(server, name);
  }
});

test('does not create a database that does not exist', async () => {
  const name = unique('missing');
  const url = databaseUrl(inject('postgresUrl'), name);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  try {
    await expect(withSetupLock(url, () => migrate(services))).rejects.toThrow(
      `database "${name}" does not exist`,
    );
    await expect(services.pool.query('select')).rejects.toThrow('does not exist');
  } finally {
    await closeServices(services);
  }
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version']);
    return true;
  } catch {
    console.warn('openssl is not installed: TLS to the database is not tested');
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('with TLS', () => {
  let folder: string;
  let server: Server;
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const signed = (name: string, ca: string) => {
    openssl(
      ...'req -newkey rsa:2048 -nodes -subj'.split(' '),
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      'r.csr',
    );
    openssl(
      ...`x509 -req -days 2 -CAcreateserial -in r.csr -CA ${ca}.crt -CAkey ${ca}.key -out ${name}.crt`.split(
        ' ',
      ),
    );
  };
  const query = (text: string) => `sslmode=${text}`.replaceAll('FOLDER', encodeURIComponent(folder));
  const at = (text: string, host = 'localhost') => `${server.url.replace('127.0.0.1', host)}?${query(text)}`;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'firmdesk-tls-'));
    await chmod(folder, 0o755);
    for (const ca of ['ca', 'other'])
      openssl(
        ...`req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=${ca} -keyout ${ca}.key -out ${ca}.crt`.split(
          ' ',
        ),
      );
    signed('localhost', 'ca');
    signed('postgres', 'ca');
    server = await openTemporaryServer();
    const admin = createClient(server.url, { name: 'test' });
    await admin.connect();
    const { rows } = await admin.query<{ data_directory: string }>('show data_directory');
    // The server reads its key only from a file of its own account.
    const own = (name: string) => join(rows[0]!.data_directory, name);
    const { copyFile, chown, stat } = await import('node:fs/promises');
    const { uid, gid } = await stat(rows[0]!.data_directory);
    for (const name of ['localhost.crt', 'localhost.key', 'ca.crt']) {
      await copyFile(join(folder, name), own(name));
      await chmod(own(name), 0o600);
      await chown(own(name), uid, gid);
    }
    await admin.query(`alter system set ssl_cert_file = 'localhost.crt'`);
    await admin.query(`alter system set ssl_key_file = 'localhost.key'`);
    await admin.query(`alter system set ssl_ca_file = 'ca.crt'`);
    await admin.query(`alter system set ssl = on`);
    await admin.query('select pg_reload_conf()');
    await admin.end();
  });
  afterAll(async () => {
    await server?.release();
    await rm(folder, { recursive: true, force: true });
  });

  test('encrypts every connection of a process', async () => {
    const url = at(
      'verify-full&sslrootcert=FOLDER/ca.crt&sslcert=FOLDER/postgres.crt&sslkey=FOLDER/postgres.key',
    );
    const sessions = await openEverything(url);
    expect(sessions.length).toBeGreaterThanOrEqual(uses.length);
    expect(sessions.filter(({ ssl }) => !ssl)).toEqual([]);
  });

  const connect = async (url: string) => {
    const client = createClient(url, { name: 'test' });
    client.on('error', () => {});
    try {
      await client.connect();
      return (await client.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()')).rows[0].ssl;
    } finally {
      await client.end().catch(() => {});
    }
  };

  test('checks the certificate as far as sslmode says', async () => {
    expect(await connect(at('require'))).toBe(true);
    expect(await connect(at('verify-ca&sslrootcert=FOLDER/ca.crt', '127.0.0.1'))).toBe(true);
    expect(await connect(at('verify-full&sslrootcert=FOLDER/ca.crt'))).toBe(true);
    for (const url of [
      at('require&sslrootcert=FOLDER/other.crt'),
      at('verify-ca&sslrootcert=FOLDER/other.crt'),
      at('verify-full&sslrootcert=FOLDER/other.crt'),
      at('verify-full'),
      at('verify-full&sslrootcert=FOLDER/ca.crt', '127.0.0.1'),
    ])
      await expect(connect(url), url).rejects.toThrow(/certificate|altnames|issuer/i);
  });
});

describe('with a primary and a replica', () => {
  let primary: Server;
  let replica: Server;
  beforeAll(async () => {
    primary = await openTemporaryServer({ settings: { ...primarySettings, timezone: 'Europe/Berlin' } });
    replica = await openTemporaryReplica(primary);
  });
  afterAll(async () => {
    await replica?.release();
    await primary?.release();
  });

  const portOf = (url: string) => Number(new URL(url).port);
  const both = (attributes: string, first = replica, second = primary) => {
    const url = new URL(first.url);
    url.search = attributes && `target_session_attrs=${attributes}`;
    return url.href.replace(`:${url.port}/`, `:${url.port},127.0.0.1:${portOf(second.url)}/`);
  };
  const portReached = async (url: string) => {
    const services: Services = await createServices({ databaseUrl: url, poolSizes: { main: 1 } });
    try {
      const pools = [services.pool, services.searchPool, services.connections.readinessPool];
      const ports = await Promise.all(
        pools.map(async (pool) => (await pool.query('select inet_server_port() as port')).rows[0]!['port']),
      );
      return new Set(ports.map(Number));
    } finally {
      await closeServices(services);
    }
  };

  test('connects to the first of several hosts that accepts writes, or to the one that the URL demands', async () => {
    expect(await portReached(both(''))).toEqual(new Set([portOf(primary.url)]));
    expect(await portReached(both('read-write'))).toEqual(new Set([portOf(primary.url)]));
    expect(await portReached(both('primary', primary, replica))).toEqual(new Set([portOf(primary.url)]));
    expect(await portReached(both('standby', primary, replica))).toEqual(new Set([portOf(replica.url)]));
    expect(await portReached(both('prefer-standby', primary, replica))).toEqual(
      new Set([portOf(replica.url)]),
    );
  });

  test('works while one of the hosts does not answer', async () => {
    await using proxy = await openTcpProxy(replica.url);
    proxy.stall();
    const url = both('', { ...replica, url: proxy.url });
    expect(await portReached(url)).toEqual(new Set([portOf(primary.url)]));
  });

  test('refuses a server that only reads with 25006, which is temporary', async () => {
    const client = createClient(replica.url, { name: 'test' });
    client.on('error', () => {});
    await expect(client.connect()).rejects.toMatchObject({ code: '25006' });
    const reading = createClient(replica.url, { name: 'test', targetSession: 'any' });
    await reading.connect();
    await reading.end();
  });
});
