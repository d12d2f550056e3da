import { randomUUID } from 'node:crypto';
import { cloneDatabase, createDatabase, migrateAsLater, openTestServices } from '@firmdesk/testing';
import { Migration } from '@mikro-orm/migrations';
import type { Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { migrations } from '../../../app/migrations/index.ts';
import { closeServices, createServices } from '../../../app/services.ts';
import { readinessName } from '../../connections/connected-versions.ts';
import { createClient } from '../../connections/connection.ts';
import type { Services } from '../../services.ts';
import { DatabaseUnusableError, migrate, schemaState } from './migrate.ts';
import { withSetupLock } from './setup-lock.ts';

const names = migrations.map(({ name }) => name);

class Extend extends Migration {
  override up(): void {
    this.addSql('alter table tags add column note text');
  }
}

class Break extends Migration {
  override up(): void {
    this.addSql('alter table tags rename color to colour');
  }
}

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

  test('of a version before the baseline is rejected', async () => {
    await using opened = await openTestServices(inject('postgresUrl'));
    const { pool } = opened.services;
    await pool.query(`
      delete from mikro_orm_migrations;
      insert into mikro_orm_migrations (name) values ('0001-access'), ('0002-mail')`);
    await expect(migrate(opened.services)).rejects.toThrow(DatabaseUnusableError);
    await expect(migrate(opened.services, { isForced: true })).rejects.toThrow(
      /made before the first release/,
    );
    expect((await schemaState(opened.services)).isCompatible).toBe(false);
  });
});

/** Two migrations of a later version: one with which this version works, and one with which it fails. */
const later = [
  { name: '9001-extend', class: Extend },
  { name: '9002-break', class: Break, compatibleSince: '9002-break' },
];
const laterNames = later.map(({ name }) => name);

describe('beside a process of an earlier version', () => {
  /** Opens a migrated database with a process that knows the migrations up to the given one. */
  async function openBeside(latest: string) {
    const database = await cloneDatabase(inject('postgresUrl'));
    const earlier = createClient(database.url, { name: readinessName(latest) });
    await earlier.connect();
    return { ...database, stop: () => earlier.end() };
  }

  test('only migrations with which it works are applied, until it has ended', async () => {
    await using beside = await openBeside(names.at(-1)!);
    const upgrade = () => migrateAsLater(beside.url, later);
    await expect(upgrade()).rejects.toThrow(DatabaseUnusableError);
    await expect(upgrade()).rejects.toThrow(
      'Migration 9002-break was not applied: a process of an earlier version (from 127.0.0.1) would fail with it. The migrations before it are applied. Stop all',
    );
    await beside.stop();
    await expect.poll(() => upgrade().catch((error: Error) => error.message)).toEqual(['9002-break']);
  });

  test('all are applied when forced', async () => {
    await using beside = await openBeside(names.at(-1)!);
    expect(await migrateAsLater(beside.url, later, { isForced: true })).toEqual(laterNames);
    await beside.stop();
  });

  test('all are applied when it knows them', async () => {
    await using beside = await openBeside('9002-break');
    expect(await migrateAsLater(beside.url, later)).toEqual(laterNames);
    await beside.stop();
  });
});
