import { afterAll, expect, inject, test } from 'vitest';
import { openTestServices } from '../testing/index.ts';
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

test('returns the columns of the connection’s statement', async () => {
  const one = await queryPool(pool, { name: 'columns', text: 'select 1 as a, 2 as b' });
  await pool.query('deallocate columns');
  // As another process's migration does it: a new connection gets other columns for the same statement.
  const [client] = (pool as unknown as { _clients: { connection: { parsedStatements: object } }[] })._clients;
  client!.connection.parsedStatements = {};
  const other = await queryPool(pool, { name: 'columns', text: 'select 2 as b, 3 as c' });
  expect([one.rows, other.rows]).toEqual([[{ a: 1, b: 2 }], [{ b: 2, c: 3 }]]);
});
