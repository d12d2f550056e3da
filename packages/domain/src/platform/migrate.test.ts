import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrations } from '../app/migrations/index.ts';
import { closeServices, createServices } from '../app/services.ts';
import { createDatabase, openTestServices } from '../testing/index.ts';
import { DatabaseUnusableError, migrate, pendingMigrations } from './migrate.ts';
import type { Services } from './services.ts';
import { withSetupLock } from './setup-lock.ts';

const names = migrations.map(({ name }) => name);

/** Opens services on an empty database. */
async function openEmpty(): Promise<Services> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  return createServices({ databaseUrl: await createDatabase(inject('postgresUrl'), name) });
}

describe('an empty database', () => {
  let services: Services;
  beforeEach(async () => {
    services = await openEmpty();
  });
  afterEach(() => closeServices(services));

  test('lists every migration as pending, and changes nothing', async () => {
    expect(await pendingMigrations(services)).toEqual(names);
    const { rows } = await services.pool.query(
      `select from pg_class where relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([]);
  });

  test('is migrated once by processes that start concurrently', async () => {
    const others = await Promise.all([1, 2].map(() => createServices({ databaseUrl: services.databaseUrl })));
    const applied = await Promise.all(
      [services, ...others].map((each) => withSetupLock(each.databaseUrl, () => migrate(each))),
    );
    expect(applied.sort((a, b) => b.length - a.length)).toEqual([names, [], []]);
    expect(await pendingMigrations(services)).toEqual([]);
    await Promise.all(others.map(closeServices));
  });

  test('of another application is rejected and not changed', async () => {
    await services.pool.query('create table invoices (id integer)');
    await expect(migrate(services)).rejects.toThrow(DatabaseUnusableError);
    await expect(migrate(services)).rejects.toThrow(/invoices/);
    const { rows } = await services.pool.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    expect(rows).toEqual([{ relname: 'invoices' }]);
  });

  test('on a server before version 15 is rejected', async () => {
    const old = { query: async () => ({ rows: [{ version: 140_011, tables: [] }] }) } as unknown as Pool;
    await expect(migrate({ ...services, pool: old })).rejects.toThrow(
      'PostgreSQL 15 or later is required; this server is version 14.11.',
    );
  });
});

describe('a migrated database', () => {
  test('has no pending migrations', async () => {
    await using opened = await openTestServices(inject('postgresUrl'));
    expect(await pendingMigrations(opened.services)).toEqual([]);
    expect(await migrate(opened.services)).toEqual([]);
  });

  test('of a later version is rejected', async () => {
    await using opened = await openTestServices(inject('postgresUrl'));
    const { pool } = opened.services;
    await pool.query(`insert into mikro_orm_migrations (name) values ('9999-later')`);
    await expect(migrate(opened.services)).rejects.toThrow(/migrated by a later version \(9999-later\)/);
  });
});
