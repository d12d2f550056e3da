import { runMigrations as runQueueMigrations } from 'graphile-worker';
import type { Pool } from 'pg';
import { findMissingRights, mayMigrate, openQueueTables } from '../../account-rights.ts';
import { type EarlierProcesses, findEarlierProcesses } from '../../connections/connected-versions.ts';
import { createPool } from '../../connections/connection.ts';
import type { Services } from '../../services.ts';
import type { Database } from '../database.ts';
import { type NamedMigration, runMigrations } from './run-migrations.ts';

const OLDEST_SERVER = 150_000;
const HISTORY = 'mikro_orm_migrations';
/** The first migration of the versions before the baseline: every database that they made has it, and no other. */
const BEFORE_BASELINE = '0001-access';

/** The database cannot be used until an operator fixes the cause. */
export class DatabaseUnusableError extends Error {
  override name = 'DatabaseUnusableError';
}

export interface MigrateOptions {
  /** Apply also migrations with which connected processes of earlier versions fail. */
  isForced?: boolean;
}

/**
 * Migrates the database to this version's schema; call it inside {@link withSetupLock}. Rejects what {@link ensureOurs} rejects.
 * While processes of an earlier version are connected, it applies the migrations before the first one with which they would fail.
 * @returns the names of the migrations that were applied
 * @throws DatabaseUnusableError
 */
export async function migrate(
  services: Pick<Services, 'pool' | 'databaseUrl' | 'migrations' | 'log'>,
  { isForced = false }: MigrateOptions = {},
): Promise<string[]> {
  const { pool, databaseUrl, migrations } = services;
  const { pending, later } = await ensureOurs(services);
  if (later.length > 0) return [];
  if (pending.length > 0 && !(await mayMigrate(pool))) {
    throw new DatabaseUnusableError(
      `The account of DATABASE_URL may not change the schema, and ${pending.length} migrations are pending. Run \`pnpm ops migrate\` with the DATABASE_URL of the owner.`,
    );
  }
  const blocked = isForced ? null : await findBlocked(pool, migrations, pending);
  const reached = blocked ? migrations.indexOf(blocked.migration) : migrations.length;
  const isCurrent = !migrations.slice(0, reached).some(({ name }) => pending.includes(name));
  const applied = isCurrent ? [] : await runMigrations(services, migrations.slice(0, reached));
  if (blocked) throw new DatabaseUnusableError(blockedMessage(blocked));
  const oldest = lastOf(migrations.map(({ compatibleSince }) => compatibleSince ?? ''));
  if ((await compatibleSince(pool)) !== oldest)
    await pool.query('update installation set compatible_since = $1', [oldest]);
  await migrateQueue(databaseUrl);
  await ensureRights(pool);
  return applied;
}

interface Blocked {
  migration: NamedMigration;
  earlier: EarlierProcesses;
}

/** Returns the first pending migration with which connected processes would fail. */
async function findBlocked(
  pool: Pool,
  migrations: readonly NamedMigration[],
  pending: readonly string[],
): Promise<Blocked | null> {
  for (const migration of migrations) {
    const { name, compatibleSince } = migration;
    if (compatibleSince === undefined || !pending.includes(name)) continue;
    const earlier = await findEarlierProcesses(pool, compatibleSince);
    if (earlier.count > 0) return { migration, earlier };
  }
  return null;
}

function blockedMessage({ migration, earlier: { count, addresses } }: Blocked): string {
  const processes = count === 1 ? 'a process' : `${count} processes`;
  const from = addresses.length > 0 ? ` (from ${addresses.join(', ')})` : '';
  return (
    `Migration ${migration.name} was not applied: ${processes} of an earlier version${from} would fail with it. ` +
    'The migrations before it are applied. Stop all gateways, workers and commands of the earlier version, then start again. ' +
    'To apply it beside them, run `ops migrate --force`: their calls then fail until they are stopped.'
  );
}

function lastOf(names: readonly string[]): string {
  return names.toSorted().at(-1) ?? '';
}

/**
 * Migrates the queue's schema on a pool of ours. The queue's own pool removes its error handler while connections still close, so a
 * server that stops at that moment would end the process.
 */
async function migrateQueue(databaseUrl: string): Promise<void> {
  const pool = createPool(databaseUrl, { name: 'queue setup', statementTimeoutMs: null }, { max: 2 });
  pool.on('connect', (client) => client.on('error', () => {}));
  pool.on('error', () => {});
  try {
    await runQueueMigrations({ pgPool: pool });
    await openQueueTables(pool);
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

/** How the schema of the database differs from that of this version. */
export interface SchemaState {
  /** The migrations of this version that are not applied. */
  pending: string[];
  /** The applied migrations that this version does not know. */
  later: string[];
  /** Whether this version can work on the schema, once the pending migrations are applied. */
  isCompatible: boolean;
}

/** Compares the schema of the database with that of this version. Changes nothing. */
export async function schemaState({
  pool,
  migrations,
}: Pick<Database, 'pool' | 'migrations'>): Promise<SchemaState> {
  const applied = new Set(await appliedMigrations(pool));
  const known = new Set(migrations.map(({ name }) => name));
  const pending = [...known].filter((name) => !applied.has(name));
  const later = [...applied].filter((name) => !known.has(name));
  const isCompatible = later.length === 0 || (pending.length === 0 && known.has(await compatibleSince(pool)));
  return { pending, later, isCompatible };
}

async function compatibleSince(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ compatible_since: string }>(
    'select compatible_since from installation',
  );
  return rows[0]!.compatible_since;
}

async function appliedMigrations(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(`select to_regclass($1) is not null as exists`, [HISTORY]);
  if (!rows[0].exists) return [];
  const applied = await pool.query<{ name: string }>(`select name from ${HISTORY}`);
  return applied.rows.map(({ name }) => name);
}

/**
 * Compares the schema of the database with that of this version. Rejects a server before version 15, the database of another
 * application, one that was made before the baseline, and one that a later version has migrated, unless this version is compatible with
 * it.
 *
 * @throws DatabaseUnusableError
 */
export async function ensureOurs(database: Pick<Database, 'pool' | 'migrations'>): Promise<SchemaState> {
  await ensureNotForeign(database.pool);
  const state = await schemaState(database);
  if (state.later.includes(BEFORE_BASELINE)) {
    throw new DatabaseUnusableError(
      'The database was made before the first release and cannot be migrated: export each firm with the version that made it (`pnpm ops firm export SLUG FILE`), then import the files into an empty database with this version (`pnpm ops import FILE`).',
    );
  }
  if (state.isCompatible) return state;
  throw new DatabaseUnusableError(
    `The database was migrated by a later version (${state.later.join(', ')}). Start that version or a later one.`,
  );
}

async function ensureNotForeign(pool: Pool): Promise<void> {
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
}
