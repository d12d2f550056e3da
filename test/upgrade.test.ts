import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  cloneDatabase,
  createDatabase,
  MessageSizes,
  migrateAsLater,
  type TestDatabase,
  unique,
} from '@firmdesk/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { ops, startGateway, stop, temporaryFolder } from './started-gateway.ts';

async function query(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

describe('a database that was made before the first release', () => {
  const REFUSED =
    'The database was made before the first release and cannot be migrated: export each firm with the version that made it (`pnpm ops firm export SLUG FILE`), then import the files into an empty database with this version (`pnpm ops import FILE`).';
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    database = await cloneDatabase(inject('postgresUrl'));
    folder = await temporaryFolder();
    await query(
      database.url,
      `delete from mikro_orm_migrations;
       insert into mikro_orm_migrations (name) values ('0001-access'), ('0002-mail'), ('0003-calendar'), ('0004-tickets'),
         ('0005-notices'), ('0026-firm-keys'), ('0076-invitation-versions')`,
    );
    await writeFile(join(folder.path, 'import.json'), '{}');
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const history = async () =>
    (await query(database.url, 'select name from mikro_orm_migrations order by name')).rows.length;

  test('is refused by a start', async () => {
    const gateway = startGateway({ DATABASE_URL: database.url });
    expect(await gateway.exited).toBe(1);
    expect(gateway.stderr()).toContain(REFUSED);
    expect(await history()).toBe(7);
  });

  test.each([
    ['migrate'],
    ['migrate', '--force'],
    ['firm', 'list'],
    ['import', 'import.json'],
    ['roles', '--apply'],
    ['distribute'],
  ])('is refused by ops %s %s', async (...args) => {
    const paths = args.map((arg) => (arg === 'import.json' ? join(folder.path, arg) : arg));
    const { code, stdout, stderr } = await ops({ DATABASE_URL: database.url }, paths);
    expect({ code, stdout, stderr: stderr.trim() }).toEqual({ code: 1, stdout: '', stderr: REFUSED });
    expect(await history()).toBe(7);
  });

  test('is named by ops check', async () => {
    const { code, stdout } = await ops({ DATABASE_URL: database.url }, ['check']);
    expect(code).toBe(1);
    expect(stdout).toContain(REFUSED);
  });

  test('is refused when only its first migration is applied', async () => {
    const url = await createDatabase(inject('postgresUrl'), unique('before'));
    await query(
      url,
      `create table mikro_orm_migrations (name text); insert into mikro_orm_migrations values ('0001-access');
       create table installation (only_row boolean)`,
    );
    expect(await ops({ DATABASE_URL: url }, ['migrate'])).toMatchObject({ code: 1, stderr: `${REFUSED}\n` });
  });
});

test('a later migration with which a running gateway would fail waits until it has stopped', async () => {
  await using database = await cloneDatabase(inject('postgresUrl'));
  const gateway = startGateway({ DATABASE_URL: database.url });
  const url = await gateway.listening;
  const name = '9001-message-sizes';
  const upgrade = () => migrateAsLater(database.url, [{ name, class: MessageSizes, compatibleSince: name }]);
  // The gateway shows its version on the connection with which it answers.
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await expect(upgrade()).rejects.toThrow(
    `Migration ${name} was not applied: a process of an earlier version (from 127.0.0.1) would fail with it.`,
  );
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect(await stop(gateway)).toBe(0);
  expect(await upgrade()).toEqual([name]);
  const again = startGateway({ DATABASE_URL: database.url });
  expect(await again.exited).toBe(1);
  expect(again.stderr()).toContain(`The database was migrated by a later version (${name}).`);
});
