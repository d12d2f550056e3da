import { loadModule } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { findMissingFirms } from './find-missing-firms.ts';

beforeAll(loadModule);

test.each([
  'select 1',
  'select * from users where id = $1',
  'select * from tickets where workspace_id = $1 and id = $2',
  'select * from tickets t where $1 = t.workspace_id',
  'select * from tickets t where (t.workspace_id, t.id) = ($1, $2)',
  'select * from tickets t where (t.workspace_id, t.id) in (select 1, $1)',
  'select * from tickets t join ticket_messages m on m.workspace_id = t.workspace_id and m.ticket_id = t.id where t.workspace_id = $1',
  'select * from tickets t join ticket_messages m using (workspace_id) where t.workspace_id = $1',
  'select * from tickets t left join ticket_messages m on m.workspace_id = t.workspace_id where t.workspace_id = $1',
  'select * from workspaces w join tickets t on t.workspace_id = w.id where w.id = $1::integer',
  'select * from tickets t, lateral (select from ticket_messages m where m.workspace_id = $1 and m.ticket_id = t.id) x where t.workspace_id = $1',
  'select exists (select from tickets t where t.workspace_id = $1 and t.id = u.id) from users u',
  'select 1 from tickets where workspace_id = $1 union all select 2 from tickets where workspace_id = $1',
  'with tickets as (select 1 as id) select * from tickets',
  'with t as (select * from tickets where workspace_id = $1) select * from t',
  'select * from graphile_worker.tags',
  'insert into tags (workspace_id, name) values ($1, $2) on conflict do nothing',
  'insert into tags select * from jsonb_populate_recordset(null::tags, $1)',
  'update tickets set status = $1 where workspace_id = $2',
  'update tickets t set status = $1 from jsonb_to_recordset($1) as r (id text) where t.workspace_id = $2 and t.id = r.id',
  `delete from tickets where (workspace_id, id) in ((2, 'a'), (2, 'b'))`,
  'delete from tickets t using users u where t.workspace_id = $1 and u.id = t.trader_id',
])('accepts %s', (text) => {
  expect(findMissingFirms(text)).toEqual([]);
});

test.each([
  ['select * from tickets where id = $1', ['tickets']],
  ['select * from tickets t where t.id = $1', ['tickets t']],
  ['select * from public.tickets', ['tickets']],
  ['select * from tickets where workspace_id = $1 or id = $2', ['tickets']],
  ['select * from tickets where not workspace_id = $1', ['tickets']],
  ['select * from tickets where workspace_id > $1', ['tickets']],
  ['select * from tickets where workspace_id = any($1)', ['tickets']],
  ['select * from tickets where workspace_id = (select id from workspaces where slug = $1)', ['tickets']],
  ['select * from tickets where workspace_id in (select id from workspaces where slug = $1)', ['tickets']],
  ['select * from workspaces w join tickets t on t.workspace_id = w.id where w.slug = $1', ['tickets t']],
  ['select * from tokens k left join tickets t on t.workspace_id = k.workspace_id', ['tickets t']],
  [
    'select * from workspaces w, lateral (select from tickets t where t.workspace_id = w.id) x',
    ['tickets t'],
  ],
  [
    'select (select count(*) from ticket_messages m where m.workspace_id = t.workspace_id) from tickets t where t.workspace_id = $1',
    ['ticket_messages m'],
  ],
  [
    'select * from tickets t join ticket_messages m on m.ticket_id = t.id where t.workspace_id = $1',
    ['ticket_messages m'],
  ],
  [
    'select * from tickets t join ticket_messages m on m.workspace_id = t.workspace_id',
    ['tickets t', 'ticket_messages m'],
  ],
  ['select * from tickets t join ticket_messages m using (workspace_id)', ['tickets t', 'ticket_messages m']],
  ['select * from tickets a, tickets b where workspace_id = $1', ['tickets a', 'tickets b']],
  ['select exists (select from tickets where id = $1)', ['tickets']],
  [
    'select (select count(*) from tags) from users where id in (select user_id from team_members)',
    ['tags', 'team_members'],
  ],
  ['select 1 from tickets where workspace_id = $1 union all select 2 from tickets', ['tickets']],
  ['with t as (select * from tickets) select * from t', ['tickets']],
  ['with gone as (delete from tags where id = $1 returning id) select id from gone', ['tags']],
  ['insert into tags (name) values ($1)', ['tags']],
  ['insert into tags (workspace_id, name) select 1, subject from tickets', ['tickets']],
  ['insert into users (id) values ((select id from tickets))', ['tickets']],
  ['update tickets set status = $1 where id = $2', ['tickets']],
  [
    'update tickets t set status = m.body from ticket_messages m where t.workspace_id = $1',
    ['ticket_messages m'],
  ],
  [
    'update tickets t set status = $1 from jsonb_to_recordset($1) as r (id text, workspace_id integer) where t.workspace_id = r.workspace_id',
    ['tickets t'],
  ],
  ['delete from tickets where id = $1', ['tickets']],
  [`delete from tickets where (workspace_id, id) in ((2, 'a'), (3, 'b'))`, ['tickets']],
  [`delete from tickets where (workspace_id, id) not in ((2, 'a'))`, ['tickets']],
] as const)('finds the tables without a firm in %s', (text, missing) => {
  expect(findMissingFirms(text)).toEqual(missing);
});
