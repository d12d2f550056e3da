import { join } from 'node:path';
import { closeServices, createServices, migrate, type Services } from '@firmdesk/domain';
import { openServer } from '@firmdesk/postgres';
import pg from 'pg';
import { say } from '../report.ts';
import { fillFirm } from './fill-firm.ts';

const DATA_DIR = join(import.meta.dirname, '../../../.data/bench');
/** Part of the database names. Increase it when the contents or the tables change. */
const VERSION = 3;
const TABLES = ['tickets', 'ticket_messages', 'ticket_tags', 'search_words'];

export interface Firm extends AsyncDisposable {
  services: Services;
  /** The number of tickets. */
  tickets: number;
  /** A pool like the services' own, for the hand-written queries. */
  pool: pg.Pool;
}

/** Opens a database with one firm of a number of tickets. It is created on first use and kept. */
export async function openFirm(tickets: number): Promise<Firm> {
  const server = await openServer({ dataDir: DATA_DIR, log: say });
  const name = `tickets_v${VERSION}_${tickets}`;
  const [found] = await administer(server.url, [`select from pg_database where datname = '${name}'`]);
  if (found!.rowCount === 0) await createFirm(server.url, name, tickets);
  const url = databaseUrl(server.url, name);
  const services = await createServices({ databaseUrl: url, poolMax: 4 });
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  return {
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
  say(`Creating a firm of ${tickets} tickets, kept in .data/bench`);
  const draft = `${name}_draft`;
  await administer(serverUrl, [`drop database if exists ${draft} with (force)`, `create database ${draft}`]);
  const url = databaseUrl(serverUrl, draft);
  const services = await createServices({ databaseUrl: url, poolMax: 2 });
  await migrate(services);
  await closeServices(services);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off`);
  // Triggers and foreign key checks are off, because the data is consistent.
  await client.query('set session_replication_role = replica');
  const indexes = await dropIndexes(client);
  await fillFirm(client, tickets);
  say(`  rows after ${seconds(started)} s`);
  for (const statement of indexes) await client.query(statement);
  say(`  indexes after ${seconds(started)} s`);
  await client.query('vacuum (analyze)');
  await client.query('checkpoint');
  await client.end();
  await administer(serverUrl, [`alter database ${draft} rename to ${name}`]);
  say(`  done after ${seconds(started)} s`);
}

/** Drops every index that is not a key; returns the statements that create them again. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; statement: string; statistics: string | null }>(
    `select i.indexname as name, i.indexdef as statement,
       (select format('alter index %I alter column %s set statistics %s', i.indexname, a.attnum, a.attstattarget)
        from pg_attribute a where a.attrelid = i.indexname::regclass and a.attstattarget > 0) as statistics
     from pg_indexes i where i.schemaname = 'public' and i.tablename = any($1)
       and not exists (select from pg_constraint c where c.conname = i.indexname)`,
    [TABLES],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.flatMap(({ statement, statistics }) => (statistics ? [statement, statistics] : [statement]));
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
