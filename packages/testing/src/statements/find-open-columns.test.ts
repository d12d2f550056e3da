import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { findOpenColumns } from './find-open-columns.ts';

beforeAll(loadModule);

test.each([
  'begin',
  'select',
  'select id, subject from tickets where workspace_id = $1',
  'select count(*) from tickets',
  'select t.id from (select * from tickets) t',
  'select t.*, 1 as one from (select id, number from tickets) t',
  'select a.* from tickets t join lateral (select t.id) a on true',
  'with t as (select id from tickets) select * from t',
  'with recursive t as (select 1 as n union all select n + 1 from t) select * from t',
  'update graphile_worker.jobs set attempts = attempts + 1 returning *',
  'select * from generate_series(1, $1) n',
  'select * from json_to_recordset($1) as r (id text)',
  'insert into tags (workspace_id, name) select * from json_to_recordset($1) as r (id integer, name text)',
  'insert into tags (workspace_id, name) values ($1, $2) returning id',
  'update tickets t set subject = r.subject from (select * from tags) r where t.workspace_id = $1 returning t.id',
])('accepts %s', (text) => {
  expect(findOpenColumns(text)).toEqual([]);
});

test.each([
  ['select * from tickets where workspace_id = $1', ['tickets']],
  ['select * from public.tickets', ['tickets']],
  ['select t.*, 1 as one from tickets t', ['tickets']],
  ['select t.* from tags g join tickets t on t.workspace_id = g.workspace_id', ['tickets']],
  ['select * from tags g join tickets t on t.workspace_id = g.workspace_id', ['tags', 'tickets']],
  ['select * from (select t.* from tickets t) t', ['tickets']],
  ['select a.* from tags g cross join lateral (select * from tickets) a', ['tickets']],
  ['with t as (select * from tickets) select * from t', ['tickets']],
  ['with t as (delete from tickets returning *) select * from t', ['tickets']],
  ['select * from tickets union all select * from tickets', ['tickets']],
  ['insert into tags (workspace_id, name) values ($1, $2) returning *', ['tags']],
  ['update tickets t set subject = $1 where t.workspace_id = $2 returning t.*', ['tickets']],
  ['delete from tickets where workspace_id = $1 returning *', ['tickets']],
] as const)('finds the tables of which %s returns all columns', (text, tables) => {
  expect(findOpenColumns(text)).toEqual(tables);
});
