import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrations } from '../app/migrations/index.ts';
import { closeServices, createServices } from '../app/services.ts';
import { createDatabase, openTestServices } from '../testing/index.ts';
import { readinessName } from './connected-versions.ts';
import { createClient } from './connection.ts';
import { DatabaseUnusableError, migrate, schemaState } from './migrate.ts';
import { runMigrations } from './run-migrations.ts';
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
    expect(await schemaState(services)).toEqual({ pending: names, later: [], isCompatible: true });
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
    expect((await schemaState(services)).pending).toEqual([]);
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
    expect(await schemaState(opened.services)).toEqual({ pending: [], later: [], isCompatible: true });
    expect(await migrate(opened.services)).toEqual([]);
  });

  test('of a later version is rejected, unless this version is compatible with it', async () => {
    await using opened = await openTestServices(inject('postgresUrl'));
    const { pool } = opened.services;
    await pool.query(`insert into mikro_orm_migrations (name) values ('9999-later')`);
    const later = { pending: [], later: ['9999-later'] };
    expect(await schemaState(opened.services)).toEqual({ ...later, isCompatible: true });
    expect(await migrate(opened.services)).toEqual([]);
    await pool.query(`update installation set compatible_since = '9999-later'`);
    expect(await schemaState(opened.services)).toEqual({ ...later, isCompatible: false });
    await expect(migrate(opened.services)).rejects.toThrow(/migrated by a later version \(9999-later\)/);
  });
});

describe('beside a process of an earlier version', () => {
  const FIRST_INCOMPATIBLE = '0026-firm-keys';
  const compatible = names.slice(20, names.indexOf(FIRST_INCOMPATIBLE));

  /** Opens a database of an earlier version, and a process that knows the migrations up to the given one. */
  async function openBeside(heartbeat: string) {
    const services = await openEmpty();
    await runMigrations(services, migrations.slice(0, 20));
    const earlier = createClient(services.databaseUrl, { name: heartbeat });
    await earlier.connect();
    return { services, stop: () => earlier.end() };
  }

  test.each([
    ['that shows no version', 'heartbeat'],
    ['that shows its version', readinessName(compatible.at(-1)!)],
  ])('%s, only migrations with which it works are applied, until it has ended', async (_title, heartbeat) => {
    const { services, stop } = await openBeside(heartbeat);
    await expect(migrate(services)).rejects.toThrow(DatabaseUnusableError);
    await expect(migrate(services)).rejects.toThrow(
      `Migration ${FIRST_INCOMPATIBLE} was not applied: a process of an earlier version (from 127.0.0.1) would fail with it. The migrations before it are applied. Stop all`,
    );
    expect((await schemaState(services)).pending[0]).toBe(FIRST_INCOMPATIBLE);
    await stop();
    await expect
      .poll(() => migrate(services).catch((error: Error) => error.message))
      .toEqual(names.slice(names.indexOf(FIRST_INCOMPATIBLE)));
    await closeServices(services);
  });

  test('all are applied when forced, or when it knows them', async () => {
    const { services, stop } = await openBeside('heartbeat');
    expect(await migrate(services, { isForced: true })).toEqual(names.slice(20));
    await stop();
    await closeServices(services);
    const beside = await openBeside(readinessName(names.at(-1)!));
    expect(await migrate(beside.services)).toEqual(names.slice(20));
    await beside.stop();
    await closeServices(beside.services);
  });
});
