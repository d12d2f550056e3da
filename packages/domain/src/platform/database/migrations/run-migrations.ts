import type { Logger } from '@mikro-orm/core';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import type { Constructor, MikroORM } from '@mikro-orm/postgresql';
import { createPool } from '../../connections/connection.ts';
import { delay } from '../../process/delay.ts';
import type { Log } from '../../process/log.ts';
import { sqlState } from '../database-errors.ts';
import { openOrm } from '../open-orm.ts';
import { wireTypes } from '../wire-types.ts';

export interface NamedMigration {
  /** Begins with the number of the migration: four digits. */
  name: string;
  class: Constructor<Migration>;
  /**
   * The migration that a process must know to work on the schema with this one. It is not applied while a process that does not know
   * it is connected. By default, every process that could work before still can.
   */
  compatibleSince?: string;
}

export interface MigrationLimits {
  /** Limit of one statement: filling or indexing a large table takes long. */
  statementMs: number;
  /**
   * Limit of one wait for a lock. While a migration waits for a table, every call that needs the table waits behind it. So the
   * migration gives up soon, lets the calls pass, and retries. Longer than `deadlock_timeout` (1 s), after which autovacuum
   * yields its lock.
   */
  lockMs: number;
  /** The first and the longest pause between two attempts. */
  pauseMs: readonly [number, number];
  /** Attempts before the start fails: about 15 minutes. */
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
 * Applies the missing migrations in order, each in a separate transaction, on a connection with separate limits. Returns their
 * names.
 */
export async function runMigrations(
  { databaseUrl, log }: { databaseUrl: string; log: Log },
  migrations: readonly NamedMigration[],
  limits: MigrationLimits = migrationLimits,
): Promise<string[]> {
  const orm = await openMigrator(databaseUrl, migrations, limits, log);
  const applied: string[] = [];
  let current = '';
  orm.migrator.on('migrating', ({ name }) => {
    current = name;
  });
  orm.migrator.on('migrated', ({ name }) => void applied.push(name));
  try {
    await endWithProcess(orm);
    await runOnOneServerAtATime(orm);
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

/** Lets the server end a long statement when this process ends; otherwise the statement would continue. */
async function endWithProcess(orm: MikroORM): Promise<void> {
  const set = `select set_config('client_connection_check_interval', '2s', false)`;
  // A server on Windows does not support it.
  await orm.em
    .getConnection()
    .execute(set)
    .catch(() => {});
}

/**
 * Lets a migration of a distributed installation refer from a firm's table to a copied one: Citus refuses that after a statement on several
 * servers at once. Without Citus the setting has no effect.
 */
async function runOnOneServerAtATime(orm: MikroORM): Promise<void> {
  await orm.em
    .getConnection()
    .execute(`select set_config('citus.multi_shard_modify_mode', 'sequential', false)`);
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
          `Migration ${migration} was not applied: a transaction has locked a table that it changes. End the transaction, then start again.`,
          { cause: error },
        );
      }
      const wait = Math.min(first * 2 ** (tried - 1), longest);
      log.warn(
        { migration, tried, wait_ms: wait },
        'a migration waits for a table that a transaction has locked',
      );
      await delay(wait);
    }
  }
}

function openMigrator(
  databaseUrl: string,
  migrations: readonly NamedMigration[],
  { statementMs, lockMs }: MigrationLimits,
  log: Log,
): Promise<MikroORM> {
  const use = { name: 'migration', statementTimeoutMs: statementMs, lockTimeoutMs: lockMs };
  // One connection, so that session settings apply to a whole migration, also outside of a transaction.
  const pool = createPool(databaseUrl, use, { max: 1, types: wireTypes });
  pool.on('error', (error) => log.warn({ err: error }, 'the connection for migrations was lost'));
  return openOrm(databaseUrl, pool, {
    entities: [],
    discovery: { warnWhenNoEntities: false },
    extensions: [Migrator],
    migrations: {
      migrationsList: [...migrations],
      // Each in a separate transaction, except those that cannot run in one.
      allOrNothing: false,
      snapshot: false,
      silent: true,
    },
    loggerFactory: () => progressLogger(log),
  });
}

/** The namespace in which a migration reports its progress. */
export const PROGRESS = 'migration';

/** Passes on what migrations report, and nothing that the ORM logs. A batch that leaves the percentage as it is reports nothing new. */
function progressLogger(log: Log): Logger {
  let last = '';
  return {
    log: (namespace, message) => {
      if (namespace !== PROGRESS || message === last) return;
      last = message;
      log.info({}, message);
    },
    warn: () => {},
    error: () => {},
    logQuery: () => {},
    setDebugMode: () => {},
    isEnabled: () => false,
  };
}
