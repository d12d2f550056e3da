import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { countRoundTrips, openTestServices } from '../testing/index.ts';
import type { OperationContext } from './context.ts';
import { sqlOf } from './database.ts';
import { isUnavailable } from './database-errors.ts';
import { deferred, executeTogether, prepared } from './prepared.ts';
import type { Services } from './services.ts';
import { newContext, withTransaction } from './transaction.ts';

const base = await openTestServices(inject('postgresUrl'), { lanes: { main: 1 } });
const { services } = base;
afterAll(() => base[Symbol.asyncDispose]());
await services.pool.query('create table written (n integer primary key)');
const written = async () =>
  (await services.pool.query<{ n: number }>('select n from written order by n')).rows.map(({ n }) => n);
const insert = ({ em }: OperationContext, n: number) =>
  sql`${deferred} insert into written (n) values (${n})`.execute(sqlOf(em));
const count = async ({ em }: OperationContext) =>
  (
    await sql<{
      count: number;
    }>`${prepared} select count(*)::integer as count from written where n > ${0}`.execute(sqlOf(em))
  ).rows[0]!.count;

test('prepares a marked statement once per connection, in transactions too, and no other statement', async () => {
  const run = (n: number) =>
    withTransaction(services, async ({ em }) => {
      const marked = await sql<{ n: number }>`${prepared} select ${n}::integer + 1 as n`.execute(sqlOf(em));
      await sql`select ${n}::integer + 2`.execute(sqlOf(em));
      return marked.rows[0]!.n;
    });
  expect([await run(1), await run(2), await run(3)]).toEqual([2, 3, 4]);
  const { rows } = await services.pool.query(`select statement from pg_prepared_statements`);
  expect(rows.filter(({ statement }) => /select \$1::integer/.test(statement))).toEqual([
    { statement: '/* prepared */  select $1::integer + 1 as n' },
  ]);
});

test('sends deferred statements with the next statement, in order, and with the commit', async () => {
  const roundTrips = countRoundTrips(services);
  const before = roundTrips();
  await withTransaction(services, async (ctx) => {
    await insert(ctx, 1);
    await insert(ctx, 2);
    expect(await count(ctx)).toBe(2);
    await insert(ctx, 3);
  });
  expect(roundTrips() - before).toBe(2);
  expect(await written()).toEqual([1, 2, 3]);
});

test('executes two statements in one round trip, and returns the rows of both', async () => {
  const roundTrips = countRoundTrips(services);
  const before = roundTrips();
  const rows = await withTransaction(services, ({ em }) =>
    executeTogether(
      sqlOf(em),
      sql<{ n: number }>`insert into written (n) values (${4}), (${5}) returning n`,
      sql<{ count: number }>`select count(*)::integer as count from written`,
    ),
  );
  // One with the statements, one with the commit.
  expect(roundTrips() - before).toBe(2);
  expect(rows).toEqual([[{ n: 4 }, { n: 5 }], [{ count: 5 }]]);
  await services.pool.query('delete from written where n in (4, 5)');
});

test('sends nothing for a transaction without statements', async () => {
  const roundTrips = countRoundTrips(services);
  const before = roundTrips();
  await withTransaction(services, async () => {});
  await expect(
    withTransaction(services, async () => {
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(roundTrips()).toBe(before);
});

test('discards deferred statements that were not sent before a rollback', async () => {
  await expect(
    withTransaction(services, async (ctx) => {
      await insert(ctx, 10);
      throw new Error('stop');
    }),
  ).rejects.toThrow('stop');
  expect(await written()).toEqual([1, 2, 3]);
});

test('the error of a deferred statement is thrown with the next statement or the commit, and rolls all back', async () => {
  const conflict = /duplicate key/;
  await expect(
    withTransaction(services, async (ctx) => {
      await insert(ctx, 20);
      await insert(ctx, 1);
      await insert(ctx, 21);
    }),
  ).rejects.toThrow(conflict);
  await expect(
    withTransaction(services, async (ctx) => {
      await insert(ctx, 20);
      await insert(ctx, 1);
      await count(ctx);
    }),
  ).rejects.toThrow(conflict);
  expect(await written()).toEqual([1, 2, 3]);
});

test('a statement that was skipped because of an earlier error is prepared at its next use', async () => {
  const skipped = ({ em }: OperationContext) =>
    sql<{ n: number }>`${prepared} select ${1}::integer as n /* skipped at first */`.execute(sqlOf(em));
  await expect(
    withTransaction(services, async (ctx) => {
      await insert(ctx, 1);
      await skipped(ctx);
    }),
  ).rejects.toThrow(/duplicate key/);
  for (let i = 0; i < 2; i++) {
    expect((await withTransaction(services, skipped)).rows).toEqual([{ n: 1 }]);
  }
});

test('a prepared statement whose columns a migration changed fails once, as unavailable, and then works', async () => {
  await services.pool.query('create table changing as select 1 as a');
  const read = () =>
    withTransaction(services, async ({ em }) => {
      const { rows } = await sql`${prepared} select * from changing where ${true}`.execute(sqlOf(em));
      return rows;
    });
  expect(await read()).toEqual([{ a: 1 }]);
  await services.pool.query('alter table changing add column b integer');
  await expect(read()).rejects.toSatisfy(isUnavailable);
  expect(await read()).toEqual([{ a: 1, b: null }]);

  const insertAndRead = () =>
    withTransaction(services, async ({ em }) => {
      const both = executeTogether(
        sqlOf(em),
        sql`insert into changing (a) values (${2}) returning *`,
        sql`select ${1}::integer as n`,
      );
      return (await both)[0];
    });
  expect(await insertAndRead()).toEqual([{ a: 2, b: null }]);
  await services.pool.query('alter table changing add column c integer');
  await expect(insertAndRead()).rejects.toSatisfy(isUnavailable);
  expect(await insertAndRead()).toEqual([{ a: 2, b: null, c: null }]);
});

test('sends statements that have several parts or no values after the deferred ones', async () => {
  await withTransaction(services, async (ctx) => {
    await insert(ctx, 30);
    await sql`update written set n = 31 where n = 30; update written set n = 32 where n = 31`.execute(
      sqlOf(ctx.em),
    );
  });
  expect(await written()).toEqual([1, 2, 3, 32]);
});

test('runs a deferred statement at once outside of transactions', async () => {
  await insert(newContext(services), 40);
  expect(await written()).toEqual([1, 2, 3, 32, 40]);
});

test('rejects an object as a value of a deferred statement', async () => {
  await expect(
    withTransaction(services, ({ em }) => sql`${deferred} select ${{}}::jsonb`.execute(sqlOf(em))),
  ).rejects.toThrow('serialize it');
});

test('a statement after a deferred lock sees what the previous holder of the lock committed', async () => {
  await using base = await openTestServices(inject('postgresUrl'), { lanes: { main: 3 } });
  const { services } = base;
  await services.pool.query('create table counters as select 1 as n');
  const lockAndRead = async ({ em }: OperationContext) => {
    await sql`${deferred} select from counters for update`.execute(sqlOf(em));
    return (await sql<{ n: number }>`${prepared} select n from counters`.execute(sqlOf(em))).rows[0]!.n;
  };
  let second: Promise<number> | undefined;
  await withTransaction(services, async (ctx) => {
    await lockAndRead(ctx);
    second = withTransaction(services, lockAndRead);
    await untilOneWaitsForALock(services);
    await sql`update counters set n = 2`.execute(sqlOf(ctx.em));
  });
  expect(await second).toBe(2);
});

async function untilOneWaitsForALock({ pool }: Services): Promise<void> {
  const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
  while ((await pool.query(waiting)).rowCount === 0) await setImmediate();
}
