import { openTestServices } from '@firmdesk/testing';
import { Migration } from '@mikro-orm/migrations';
import type { Constructor } from '@mikro-orm/postgresql';
import pg from 'pg';
import { expect, inject, test, vi } from 'vitest';
import { migrations } from '../../../app/migrations/index.ts';
import { OnlineMigration } from '../../../app/migrations/online-migration.ts';
import { migrationLimits, runMigrations } from './run-migrations.ts';
import { withSetupLock } from './setup-lock.ts';

const quick = { ...migrationLimits, lockMs: 100, pauseMs: [20, 50], tries: 100 } as const;

/** The existing migrations and one more. */
function and(name: string, added: Constructor<Migration>) {
  return [...migrations, { name, class: added }];
}

/** Opens a separate connection, for a long transaction or a call. */
async function connect(databaseUrl: string, options = ''): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: databaseUrl, options });
  client.on('error', () => {});
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** A clone of the migrated database with a filled table. `log` collects the messages of the migrations. */
async function openFilled() {
  const opened = await openTestServices(inject('postgresUrl'));
  await opened.services.pool.query(
    `create table filled as select id, id % 7 as kind from generate_series(1, 20000) as id`,
  );
  return opened;
}

class IndexFilled extends OnlineMigration {
  override async up(): Promise<void> {
    await this.buildIndex('filled_kind', 'filled (kind)', false);
  }
}

class ChangeFilled extends Migration {
  override up(): void {
    this.addSql('alter table filled add column note text');
  }
}

test('lets a migration take longer than a statement of a call', async () => {
  await using opened = await openFilled();
  const { services } = opened;
  class Slow extends Migration {
    override up(): void {
      this.addSql('update filled set kind = kind + 1 from (select pg_sleep(0.6)) as slept');
    }
  }
  services.pool.options.options = '-c statement_timeout=200ms';
  await using caller = await connect(opened.databaseUrl, '-c statement_timeout=200ms');
  await expect(caller.query('select pg_sleep(0.6)')).rejects.toThrow(/statement timeout/);
  expect(await runMigrations(services, and('9001-slow', Slow))).toEqual(['9001-slow']);
});

test('limits the statements of a migration', async () => {
  await using opened = await openFilled();
  class Endless extends Migration {
    override up(): void {
      this.addSql('select pg_sleep(600)');
    }
  }
  await expect(
    runMigrations(opened.services, and('9001-endless', Endless), { ...quick, statementMs: 100 }),
  ).rejects.toThrow(/statement timeout/);
});

test('lets calls pass while a migration waits for a long transaction, and applies it afterwards', async () => {
  await using opened = await openFilled();
  await using long = await connect(opened.databaseUrl);
  await long.query('begin; select count(*) from filled');

  const migrating = runMigrations(opened.services, and('9001-change', ChangeFilled), quick);
  await vi.waitFor(() => expect(opened.log.lines.length).toBeGreaterThan(1), 30_000);
  expect(opened.log.lines).toContainEqual({
    level: 'warn',
    message: 'a migration waits for a table that a transaction has locked',
    fields: { migration: '9001-change', tried: 1, wait_ms: 20 },
  });
  await using caller = await connect(opened.databaseUrl, '-c lock_timeout=5s');
  for (let call = 0; call < 20; call++) await caller.query('select from filled limit 1');

  await long.query('commit');
  expect(await migrating).toEqual(['9001-change']);
});

test('fails a migration that never gets its lock, without changes', async () => {
  await using opened = await openFilled();
  await using long = await connect(opened.databaseUrl);
  await long.query('begin; select count(*) from filled');
  const given = { ...quick, tries: 3 };
  await expect(runMigrations(opened.services, and('9001-change', ChangeFilled), given)).rejects.toThrow(
    'Migration 9001-change was not applied: a transaction has locked a table that it changes.',
  );
  expect(opened.log.lines).toHaveLength(2);
  await long.query('commit');
  expect(await runMigrations(opened.services, and('9001-change', ChangeFilled), given)).toEqual([
    '9001-change',
  ]);
});

/** Returns whether an index is valid; null if it does not exist. */
async function validity(client: Pick<pg.Client, 'query'>, index: string): Promise<boolean | null> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [index],
  );
  return rows[0]?.valid ?? null;
}

test('builds an index during writes, and waits for the oldest of them without blocking the others', async () => {
  await using opened = await openFilled();
  await using long = await connect(opened.databaseUrl);
  await long.query('begin; insert into filled values (0, 0)');

  const migrating = runMigrations(opened.services, and('9001-index', IndexFilled), quick);
  // Longer than a transactional migration may wait.
  await vi.waitFor(async () => {
    const { rows } = await opened.services.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'create index concurrently%'
        and clock_timestamp() - query_start > interval '200 milliseconds'`,
    );
    expect(rows).toHaveLength(1);
  }, 30_000);
  expect(await validity(opened.services.pool, 'filled_kind')).toBe(false);
  await using caller = await connect(opened.databaseUrl, '-c lock_timeout=1s');
  for (let id = -20; id < 0; id++) await caller.query('insert into filled values ($1, 0)', [id]);

  await long.query('commit');
  expect(await migrating).toEqual(['9001-index']);
  expect(await validity(opened.services.pool, 'filled_kind')).toBe(true);
  expect(opened.log.lines).toEqual([]);
});

test('rebuilds an index that an interrupted build left invalid', async () => {
  await using opened = await openFilled();
  const { services } = opened;
  await using long = await connect(opened.databaseUrl);
  await long.query('begin; insert into filled values (0, 0)');
  const interrupted = runMigrations(services, and('9001-index', IndexFilled), quick).catch(
    (error: unknown) => error,
  );
  await vi.waitFor(async () => expect(await validity(services.pool, 'filled_kind')).toBe(false), 30_000);
  await services.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'firmdesk migration' and datname = current_database()`,
  );
  expect(await interrupted).toBeInstanceOf(Error);
  await long.query('commit');
  expect(await validity(services.pool, 'filled_kind')).toBe(false);

  expect(await runMigrations(services, and('9001-index', IndexFilled), quick)).toEqual(['9001-index']);
  expect(await validity(services.pool, 'filled_kind')).toBe(true);
});

test('builds an index while other processes wait to migrate', async () => {
  await using opened = await openFilled();
  const { services, databaseUrl } = opened;
  const list = and('9001-index', IndexFilled);
  const start = () => withSetupLock(databaseUrl, () => runMigrations(services, list, quick));
  const applied = await Promise.all([start(), start(), start()]);
  expect(applied.flat()).toEqual(['9001-index']);
});

test('logs the progress of a migration, each message once', async () => {
  await using opened = await openFilled();
  class Reporting extends OnlineMigration {
    override async up(): Promise<void> {
      for (const percent of [50, 50, 100]) this.report(`filling: ${percent} %`);
    }
  }
  await runMigrations(opened.services, and('9001-reporting', Reporting));
  expect(opened.log.lines).toEqual(
    [50, 100].map((percent) => ({ level: 'info', message: `filling: ${percent} %`, fields: {} })),
  );
});
