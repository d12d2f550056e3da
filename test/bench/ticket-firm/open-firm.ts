import { join } from 'node:path';
import { closeServices, createServices, migrate, type Services } from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import pg from 'pg';
import { wireTypes } from '../../../packages/domain/src/platform/database/wire-types.ts';
import { say } from '../report.ts';
import { fillFirm } from './fill-firm.ts';
import { loadWithoutIndexes } from './load-without-indexes.ts';

const DEFAULT_DATA_DIR = join(import.meta.dirname, '../../../.data/bench');
/** Part of the database names. Increase it when the contents change. */
const VERSION = 7;

export interface Firm extends AsyncDisposable {
  /** The connection URI of its database. */
  url: string;
  services: Services;
  /** The number of tickets. */
  tickets: number;
  /** A pool like the services' own, for the hand-written queries. */
  pool: pg.Pool;
}

/** Opens a database with one firm of a number of tickets. It is created on first use, and kept in the data directory. */
export async function openFirm(tickets: number, dataDir = DEFAULT_DATA_DIR): Promise<Firm> {
  const server = await openServer({ dataDir, log: say });
  const name = `tickets_v${VERSION}_${tickets}`;
  const [found] = await administer(server.url, [`select from pg_database where datname = '${name}'`]);
  if (found!.rowCount === 0) await createFirm(server.url, name, tickets);
  const url = databaseUrl(server.url, name);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 4 } });
  // A database that was kept may be older than the tables.
  await migrate(services);
  const pool = new pg.Pool({ connectionString: url, max: 4, types: wireTypes });
  return {
    url,
    services,
    tickets,
    pool,
    async [Symbol.asyncDispose]() {
      await pool.end();
      await closeServices(services);
      await server.release();
    },
  };
}

/** Creates the database under a temporary name, so that an interrupted one is never used. */
async function createFirm(serverUrl: string, name: string, tickets: number): Promise<void> {
  const started = performance.now();
  say(`Creating a firm of ${tickets} tickets. It is kept for the next run`);
  const draft = `${name}_draft`;
  await administer(serverUrl, [`drop database if exists ${draft} with (force)`, `create database ${draft}`]);
  const url = databaseUrl(serverUrl, draft);
  const services = await createServices({ databaseUrl: url, poolSizes: { main: 2 } });
  await migrate(services);
  await closeServices(services);
  await loadWithoutIndexes(
    url,
    async (client) => {
      await fillFirm(client, tickets);
      say(`  rows after ${seconds(started)} s`);
    },
    (statement) => say(`  after ${seconds(started)} s: ${statement}`),
  );
  await administer(serverUrl, [`alter database ${draft} rename to ${name}`]);
  say(`  done after ${seconds(started)} s`);
}

async function administer(serverUrl: string, statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function seconds(started: number): number {
  return Math.round((performance.now() - started) / 1000);
}
