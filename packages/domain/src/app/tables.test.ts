import { readdir, readFile } from 'node:fs/promises';
import { openTestServices, type TestServices } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { placement } from './placement.ts';
import { firmTables, sharedTables } from './tables.ts';

let base: TestServices;
beforeAll(async () => {
  base = await openTestServices(inject('postgresUrl'));
});
afterAll(() => base[Symbol.asyncDispose]());

/** Returns the first column of the rows of a query about the firm's tables (`$1`). */
async function list(query: string): Promise<string[]> {
  const { rows } = await base.services.pool.query({ text: query, values: [firmTables], rowMode: 'array' });
  return rows.map(([value]) => String(value)).sort();
}

const IN_PUBLIC = `c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;

test('every table is listed: as a firm’s, or as shared with the reason', async () => {
  const tables = await list(`select c.relname from pg_class c where ${IN_PUBLIC} and $1::text[] is not null`);
  const listed = [...firmTables, ...Object.keys(sharedTables)];
  expect(listed.filter((table, i) => listed.indexOf(table) !== i)).toEqual([]);
  expect(tables).toEqual(listed.sort());
});

/** The names of a key's columns, in order. */
const columnsOf = (keys: string, table: string) => `(
  select array_agg(a.attname::text order by k.place) from unnest(${keys}) with ordinality as k (number, place)
  left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`;

test('the firm is first in the primary key of each firm’s table', async () => {
  const keyed = await list(`
    select c.relname from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relname = any($1) and (${columnsOf('i.indkey::int2[]', 'c.oid')})[1] = 'workspace_id'`);
  expect(keyed).toEqual([...firmTables].sort());
});

test('the firm is first in every unique index of a firm’s table', async () => {
  const without = await list(`
    select i.indexrelid::regclass from pg_class c join pg_index i on i.indrelid = c.oid and i.indisunique
    where c.relname = any($1)
      and (${columnsOf('i.indkey::int2[]', 'c.oid')})[1] is distinct from 'workspace_id'`);
  expect(without).toEqual([]);
});

/** The indexes that begin with neither the firm nor a time, each with the reason. */
const otherIndexes = {
  mail_messages_folder:
    'with the firm, it looks as selective as the primary key, and a draft is found by reading all drafts',
  mail_messages_newest: 'as mail_messages_folder',
  mail_messages_newest_unread: 'as mail_messages_folder',
  mail_messages_newest_with_files: 'as mail_messages_folder',
  mail_messages_references:
    'GIN: a third column to intersect would slow it down, and ids of mailboxes are unique over firms',
  mail_messages_unread: 'as mail_messages_folder',
  mail_search_words_grams: 'its expression begins with the firm',
  search_words_grams: 'its expression begins with the firm',
  unsent_reminders_user: 'the erasure of an account deletes its rows in all firms',
};

// The planner combines an index without the firm with the primary key, and then reads the keys of all rows of the firm.
test('the firm is first in every other index of a firm’s table, or a time by which a job reads all firms', async () => {
  const without = await list(`
    select i.indexrelid::regclass from pg_class c join pg_index i on i.indrelid = c.oid and not i.indisunique
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relname = any($1) and a.attname is distinct from 'workspace_id'
      and a.atttypid is distinct from 'timestamptz'::regtype`);
  expect(without).toEqual(Object.keys(otherIndexes));
});

test('every reference between firm’s tables contains the firm, and none refers to a table that knows no firm', async () => {
  const without = await list(`
    select f.conname from pg_constraint f
    join pg_class c on c.oid = f.conrelid and c.relname = any($1)
    join pg_class target on target.oid = f.confrelid
    where f.contype = 'f' and target.relname not in ('users', 'workspaces')
      and ((${columnsOf('f.conkey', 'c.oid')})[1] is distinct from 'workspace_id'
        or (${columnsOf('f.confkey', 'target.oid')})[1] is distinct from 'workspace_id')`);
  expect(without).toEqual([]);
});

test('a reference of a table that is not a firm’s leads to no firm’s table, and of a copied table only to copied ones', async () => {
  const copied = `'{${placement.copied}}'`;
  const without = await list(`
    select f.conname from pg_constraint f
    join pg_class c on c.oid = f.conrelid and c.relname <> all($1) join pg_class target on target.oid = f.confrelid
    where f.contype = 'f' and c.relnamespace = 'public'::regnamespace
      and (target.relname = any($1) or c.relname = any(${copied}) and target.relname <> all(${copied}))`);
  expect(without).toEqual([]);
});

test('a column that names a row of a firm’s table is a reference to it', async () => {
  const ids = await list(`
    select c.relname || '.' || a.attname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relname = any($1) and a.attname ~ '^(ticket|mailbox|thread|calendar|event|team|tag|message)_id$'
      and not exists (select from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and a.attnum = any(f.conkey))`);
  expect(ids).toEqual([]);
});

// Read again in every statement that writes a row (migration 0005).
test('no check of tickets and messages lists its values with `in`', async () => {
  const { rows } = await base.services.pool.query(`
    select conname from pg_constraint where contype = 'c' and conrelid in ('tickets'::regclass, 'ticket_messages'::regclass)
      and pg_get_constraintdef(oid) like '%ARRAY[%'`);
  expect(rows).toEqual([]);
});

test('the database rejects a row that refers to another firm', async () => {
  const { pool } = base.services;
  await pool.query(`
    insert into workspaces (id, slug, name, created_at) values (100, 'one', 'One', now()), (101, 'two', 'Two', now());
    insert into teams (workspace_id, id, name, created_at) values (100, 900, 'Desk', now());
    insert into users (id, email, name, created_at) values ('usr_a', 'a@x.example', 'A', now())`);
  const member = `insert into team_members (workspace_id, team_id, user_id) values ($1, 900, 'usr_a')`;
  await expect(pool.query(member, [101])).rejects.toThrow(/team_members_in_teams/);
  await pool.query(member, [100]);
});

// Citus refuses it, also of the other columns alone.
test('no deletion empties a reference that contains the firm', async () => {
  const actions = await list(`
    select f.conname from pg_constraint f join pg_class c on c.oid = f.conrelid and c.relname = any($1)
    where f.contype = 'f' and f.confdeltype = 'n' and ${columnsOf('f.conkey', 'c.oid')} @> '{workspace_id}'`);
  expect(actions).toEqual([]);
});

test('no firm’s table has a trigger', async () => {
  const triggers = await list(`
    select c.relname || '.' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relname = any($1) and not t.tgisinternal`);
  expect(triggers).toEqual([]);
});

test('ids that can exceed 32 bits, and the references to them, are bigint', async () => {
  const narrow = await list(`
    select c.relname || '.' || a.attname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relname = any($1) and a.atttypid = 'integer'::regtype
      and (a.attname in ('alias', 'thread_id', 'event_id')
        or c.relname in ('mail_threads', 'events', 'assistant_runs', 'unsent_reminders') and a.attname = 'id')`);
  expect(narrow).toEqual([]);
});

/** The last migration of the baseline, which never runs on a distributed installation. */
const BASELINE = '0012';

test('a later migration that creates a firm’s table distributes it where the others are distributed', async () => {
  const folder = new URL('migrations/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => /^\d/.test(file) && file.slice(0, 4) > BASELINE);
  const missing: string[] = [];
  for (const file of files) {
    const source = await readFile(new URL(file, folder), 'utf8');
    for (const [, table] of source.matchAll(/create table (?:if not exists )?(\w+)/gi)) {
      if (!(firmTables as readonly string[]).includes(table!)) continue;
      if (!source.includes(`distributeNewTable('${table}')`)) missing.push(`${file}: ${table}`);
    }
  }
  expect(missing).toEqual([]);
});
