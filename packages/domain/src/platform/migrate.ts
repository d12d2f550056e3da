import { runMigrations as runQueueMigrations } from 'graphile-worker';
import type { Pool } from 'pg';
import { findMissingRights, mayMigrate } from './account-rights.ts';
import { createPool } from './connection.ts';
import type { Database } from './database.ts';
import { type NamedMigration, runMigrations } from './run-migrations.ts';
import type { Services } from './services.ts';

const OLDEST_SERVER = 150_000;
const HISTORY = 'mikro_orm_migrations';

/** The database cannot be used until an operator fixes the cause. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError';
}

/**
 * Migrates the database to this version's schema; call it inside {@link withSetupLock}. Rejects a server before version 15, the
 * database of another application, and a database that a later version has migrated.
 * @returns the names of the migrations that were applied
 * @throws DatabaseUnusableError
 */
export async function migrate(services: Services): Promise<string[]> {
  const { pool, databaseUrl, migrations } = services;
  await ensureOurs(pool, migrations);
  const pending = await pendingMigrations(services);
  if (pending.length > 0 && !(await mayMigrate(pool))) {
    throw new DatabaseUnusableError(
      `The account of DATABASE_URL may not change the schema, and ${pending.length} migrations are pending. Run \`pnpm ops migrate\` with the DATABASE_URL of the owner.`,
    );
  }
  const applied = pending.length === 0 ? [] : await runMigrations(services, migrations);
  await migrateQueue(databaseUrl);
  await ensureRights(pool);
  return applied;
}

/**
 * Migrates the queue's schema on a pool of ours. The queue's own pool removes its error handler while connections still close, so a
 * server that stops at that moment would end the process.
 */
async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, { name: 'queue setup', statementTimeoutMs: null }, { max: 1 });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  try {
    await runQueueMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

/** Rejects an account under which calls or jobs would fail. */
export async function ensureRights(pool: Pool): Promise<void> {
  const missing = await findMissingRights(pool);
  if (missing.length === 0) return;
  const more = missing.length > 3 ? `, and ${missing.length - 3} more` : '';
  throw new DatabaseUnusableError(
    `The account of DATABASE_URL may not: ${missing.slice(0, 3).join(', ')}${more}. Run \`pnpm ops roles --apply\` as an administrator of the database.`,
  );
}

/** Returns the names of the migrations that are not applied yet. Changes nothing. */
export async function pendingMigrations({
  pool,
  migrations,
}: Pick<Database, 'pool' | 'migrations'>): Promise<string[]> {
  const applied = new Set(await appliedMigrations(pool));
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function appliedMigrations(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(`select to_regclass($1) is not null as exists`, [HISTORY]);
  if (!rows[0].exists) return [];
  const applied = await pool.query<{ name: string }>(`select name from ${HISTORY}`);
  return applied.rows.map(({ name }) => name);
}

/**
 * Rejects a server before version 15, the database of another application, and one that a later version has migrated.
 *
 * @throws DatabaseUnusableError
 */
export async function ensureOurs(pool: Pool, migrations: readonly NamedMigration[]): Promise<void> {
  const { rows } = await pool.query<{ version: number; tables: string[] }>(`
    select current_setting('server_version_num')::int as version,
      coalesce((select array_agg(c.relname::text order by c.relname) from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')), '{}') as tables`);
  const { version, tables } = rows[0]!;
  if (version < OLDEST_SERVER) {
    throw new DatabaseUnusableError(
      `PostgreSQL 15 or later is required; this server is version ${Math.floor(version / 10_000)}.${version % 10_000}.`,
    );
  }
  const isOurs = tables.includes('installation') && tables.includes(HISTORY);
  if (!isOurs && tables.some((table) => table !== HISTORY)) {
    throw new DatabaseUnusableError(
      `The database belongs to another application: it contains other tables (${tables.slice(0, 3).join(', ')}). Use an empty database.`,
    );
  }
  if (!isOurs) return;
  const later = (await appliedMigrations(pool)).filter(
    (name) => !migrations.some((ours) => ours.name === name),
  );
  if (later.length > 0) {
    throw new DatabaseUnusableError(
      `The database was migrated by a later version (${later.join(', ')}). Start that version or a later one.`,
    );
  }
}
