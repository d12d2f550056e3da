import { afterAll, expect, inject, test } from 'vitest';
import { openTestServices } from '../testing/index.ts';
import { isUnavailable } from './database-errors.ts';
import { queryPool } from './query-pool.ts';

const base = await openTestServices(inject('postgresUrl'), { lanes: { main: 1 } });
const { pool } = base.services;
afterAll(() => base[Symbol.asyncDispose]());

const text = `
  select n::integer as id, null::text as "a ""name""", n::bigint * 2 as twice, json_build_array(n) as list, '2026-11-21T09:30:00Z'::timestamptz as at
  from generate_series(1, $1::integer) n`;

test('returns the same rows of a prepared statement as of any other', async () => {
  for (const count of [2, 0, 1]) {
    const values = [count];
    const prepared = await queryPool(pool, { name: 'series', text, values });
    const { rows, rowCount } = await queryPool(pool, { text, values });
    expect(prepared.rows).toEqual(rows);
    expect(prepared.rowCount).toBe(rowCount);
  }
});

test('returns a rejected statement’s error, and then rows again', async () => {
  const invert = (n: number) =>
    queryPool(pool, { name: 'invert', text: 'select 6 / $1::integer as n', values: [n] });
  expect((await invert(2)).rows).toEqual([{ n: 3 }]);
  await expect(invert(0)).rejects.toMatchObject({ code: '22012' });
  expect((await invert(3)).rows).toEqual([{ n: 2 }]);
});

test('never takes the columns of a statement for those before a migration', async () => {
  await pool.query('create table changing as select 1 as a, 2 as b');
  const read = () => queryPool(pool, { name: 'changing', text: 'select * from changing' });
  expect((await read()).rows).toEqual([{ a: 1, b: 2 }]);
  expect((await read()).rows).toEqual([{ a: 1, b: 2 }]);
  await pool.query('alter table changing drop column a, add column c integer');
  // The server says so itself: a connection keeps the columns that it has described.
  const error = await read().catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: '0A000' });
  expect(isUnavailable(error)).toBe(true);
  expect((await read()).rows).toEqual([{ b: 2, c: null }]);
});
