import { PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import type { PoolClient } from 'pg';
import { expect, test } from 'vitest';
import { sqlOfClient } from './client-sql.ts';
import { deferred, prepared } from './prepared.ts';

const rows = [1, 2].map((n) => sql`(${n}::integer, ${`text ${n}`})`);
const texts: Record<string, RawBuilder<unknown>> = {
  'a text without values': sql`select 1`,
  values: sql`select ${1}::integer, ${'a'}, ${null}, ${[1, 2]}::integer[]`,
  'a mark': sql`${prepared} select ${1}`,
  'a text in a text': sql`${deferred} update t set a = ${1} where ${sql`b = ${2} or ${sql`c = ${3}`}`} and d = ${4}`,
  'a list': sql`insert into t values ${sql.join(rows)}`,
  'a list with a separator': sql`select ${sql.join([1, 2, 3], sql` + `)}`,
  'a text of the source': sql`select ${sql.raw('now()')}, ${sql.val(5)}`,
  'an identifier': sql`select ${sql.ref('t.a')} from ${sql.table('t')} where ${sql.id('b')} = ${1}`,
  'a literal': sql`select ${sql.lit('it’s')}, ${1}`,
};

test.each(Object.entries(texts))('compiles %s as Kysely does', (_name, text) => {
  const db = sqlOfClient({} as PoolClient);
  const compiled = text.compile(db);
  const expected = new PostgresQueryCompiler().compileQuery(text.toOperationNode() as never, {
    queryId: 'expected',
  });
  expect({ sql: compiled.sql, parameters: compiled.parameters }).toEqual({
    sql: expected.sql,
    parameters: expected.parameters,
  });
});
