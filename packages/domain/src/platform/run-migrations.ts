import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type Constructor, MikroORM } from '@mikro-orm/postgresql';
import { connectionOptions } from './connection.ts';
import { sqlState } from './database-errors.ts';
import { delay } from './delay.ts';
import type { Log } from './log.ts';

export interface NamedMigration {
  name: string;
  class: Constructor<Migration>;
}

export interface MigrationLimits {
  /** For one statement: a large table takes long to fill or to index. */
  statementMs: number;
  /**
   * For one wait for a lock. While a migration waits for a table, every call that needs the table waits behind it: so it
   * gives up soon, lets the calls through, and tries again. Longer than the second after which autovacuum makes way.
   */
  lockMs: number;
  /** Between two tries, at first and at most. */
  pauseMs: readonly [number, number];
  /** Tries, before the start fails: a transaction has held the table for about a quarter of an hour. */
  tries: number;
}

export const migrationLimits: MigrationLimits = {
  statementMs: 4 * 3_600_000,
  lockMs: 3_000,
  pauseMs: [1_000, 30_000],
  tries: 30,
};

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Applies the migrations that the database lacks, in order, each committed by itself, on a connection with limits of its
 * own. Returns their names.
 */
export async function runMigrations(
  { databaseUrl, log }: { databaseUrl: string; log: Log },
  migrations: readonly NamedMigration[],
  limits: MigrationLimits = migrationLimits,
): Promise<string[]> {
  const orm = await openMigrator(databaseUrl, migrations, limits);
  const applied: string[] = [];
  let current = '';
  orm.migrator.on('migrating', ({ name }) => {
    current = name;
  });
  orm.migrator.on('migrated', ({ name }) => void applied.push(name));
  try {
    await endWithProcess(orm);
    await retryWhileLocked(
      () => orm.migrator.up(),
      () => current,
      log,
      limits,
    );
  } finally {
    await orm.close(true);
  }
  return applied;
}

/** Has the server look whether this process lives while a long statement runs: it goes on alone otherwise. */
async function endWithProcess(orm: MikroORM): Promise<void> {
  const set = `select set_config('client_connection_check_interval', '2s', false)`;
  // A server on Windows cannot look.
  await orm.em
    .getConnection()
    .execute(set)
    .catch(() => {});
}

async function retryWhileLocked(
  attempt: () => Promise<unknown>,
  nameOf: () => string,
  log: Log,
  { tries, pauseMs: [first, longest] }: MigrationLimits,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await attempt();
      return;
    } catch (error) {
      const state = sqlState(error);
      if (state !== LOCK_NOT_AVAILABLE && state !== DEADLOCK_DETECTED) throw error;
      const migration = nameOf();
      if (tried === tries) {
        throw new Error(
          `Migration ${migration} was not applied: a transaction holds a table that it changes. End the transaction, and start again.`,
          { cause: error },
        );
      }
      const wait = Math.min(first * 2 ** (tried - 1), longest);
      log.warn({ migration, tried, wait_ms: wait }, 'a migration waits for a table that a transaction holds');
      await delay(wait);
    }
  }
}

function openMigrator(
  databaseUrl: string,
  migrations: readonly NamedMigration[],
  { statementMs, lockMs }: MigrationLimits,
): Promise<MikroORM> {
  return MikroORM.init({
    clientUrl: databaseUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    forceUtcTimezone: true,
    // One connection: settings of a session hold for a whole migration, also where no transaction joins its statements.
    pool: { min: 0, max: 1 },
    driverOptions: connectionOptions({
      name: 'migration',
      statementTimeoutMs: statementMs,
      lockTimeoutMs: lockMs,
    }),
    migrations: {
      migrationsList: [...migrations],
      // Each in a transaction of its own, but for those that no transaction allows.
      allOrNothing: false,
      snapshot: false,
      silent: true,
    },
    debug: false,
  });
}
