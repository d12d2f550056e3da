import { openTestServices } from '@firmdesk/testing';
import { CompiledQuery, sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { isUnavailable } from './database-errors.ts';
import { withTransaction } from './transaction.ts';

async function openServices() {
  const opened = await openTestServices(inject('postgresUrl'));
  await opened.services.pool.query('create table prepared (id integer primary key, value text)');
  return opened;
}

test('prepares the repeated statements of transactions, without those that return all columns', async () => {
  await using opened = await openServices();
  await withTransaction(opened.services, async ({ db }) => {
    for (let id = 1; id <= 3; id++) {
      await sql`insert into prepared (id) values (${id})`.execute(db);
      await sql`select * from prepared where id = ${id}`.execute(db);
      await sql`select count(*) from prepared where id = ${id}`.execute(db);
    }
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%prepared%' order by 1`.execute(db);
    expect(rows.map(({ statement }) => statement)).toEqual([
      'insert into prepared (id) values ($1)',
      'select count(*) from prepared where id = $1',
    ]);
  });
});

test('fails once on a connection when the type of a column has changed, and works on the next', async () => {
  await using opened = await openServices();
  const { services } = opened;
  const read = () =>
    withTransaction(services, async ({ db }) => {
      const found = await sql<{ value: unknown }>`select value from prepared where id = ${1}`.execute(db);
      return found.rows[0]?.value;
    });
  await services.pool.query(`insert into prepared values (1, '7')`);
  for (let times = 0; times < 3; times++) expect(await read()).toBe('7');
  await services.pool.query('alter table prepared alter value type integer using value::integer');
  expect(isUnavailable(await read().catch((error: unknown) => error))).toBe(true);
  expect(await read()).toBe(7);
});

test('leaves what other pools of the process have prepared out of the limit of a pool', async () => {
  await using busy = await openServices();
  for (let id = 1; id <= 201; id++) {
    const statement = `select value from prepared where id = ${id} and value = $1`;
    await withTransaction(busy.services, async ({ db }) => {
      for (let times = 0; times < 2; times++) await db.executeQuery(CompiledQuery.raw(statement, ['7']));
    });
  }
  await using opened = await openServices();
  await withTransaction(opened.services, async ({ db }) => {
    for (let id = 1; id <= 2; id++) await sql`insert into prepared (id) values (${id})`.execute(db);
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like 'insert into prepared%'`.execute(db);
    expect(rows).toHaveLength(1);
  });
});
