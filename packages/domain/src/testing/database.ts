import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** The name of the migrated database that test files clone. */
export const TEMPLATE = 'firmdesk_template';

/** Returns the URL of a database of the server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database, empty or as a clone of a template; returns its URL. */
export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  await administer(serverUrl, `create database "${name}"${template ? ` template "${template}"` : ''}`);
  return databaseUrl(serverUrl, name);
}

/** Drops the database if it exists, and ends its connections. */
export function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return administer(serverUrl, `drop database if exists "${name}" with (force)`);
}

export interface TestDatabase extends AsyncDisposable {
  url: string;
}

/** Creates a migrated database, dropped on disposal. */
export async function cloneDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const url = await createDatabase(serverUrl, name, TEMPLATE);
  return {
    url,
    [Symbol.asyncDispose]: () => dropDatabase(serverUrl, name),
  };
}

/** Runs a statement on a server, also if it is set to refuse writes. */
export async function administer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({
    connectionString: serverUrl,
    options: '-c default_transaction_read_only=off',
  });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
