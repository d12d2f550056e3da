import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import { openTestServices } from '../testing/index.ts';
import { sqlOf } from './database.ts';
import { newContext, Transaction, withTransaction } from './transaction.ts';

/** A single connection: a transaction that does not return it makes the next one wait for ever. */
const base = await openTestServices(inject('postgresUrl'), { lanes: { main: 1 } });
const { services } = base;
afterAll(() => base[Symbol.asyncDispose]());
await services.pool.query('create table written (n integer primary key)');

test('begins in the given mode', async () => {
  const settings = await withTransaction(
    services,
    async ({ em }) => {
      const { rows } = await sql<{ isolation: string; read_only: string }>`
        select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as read_only`.execute(
        sqlOf(em),
      );
      return rows;
    },
    'isolation level repeatable read, read only',
  );
  expect(settings).toEqual([{ isolation: 'repeatable read', read_only: 'on' }]);
});

test('an operation that throws writes nothing, and its manager leaves the transaction', async () => {
  const ctx = newContext(services);
  const transaction = await Transaction.begin(ctx);
  await sql`insert into written values (1)`.execute(sqlOf(ctx.em));
  expect(ctx.em.isInTransaction()).toBe(true);
  await transaction.rollback();
  expect(ctx.em.isInTransaction()).toBe(false);
  await transaction.rollback();
  const { rows } = await sql`select n from written`.execute(sqlOf(ctx.em));
  expect(rows).toEqual([]);
});

test('rejects with the error of the commit, and returns the connection', async () => {
  await services.pool.query(
    'create table checked (n integer references written deferrable initially deferred)',
  );
  const failing = withTransaction(services, ({ em }) =>
    sql`insert into checked values (7)`.execute(sqlOf(em)),
  );
  await expect(failing).rejects.toThrow('violates foreign key constraint');
  expect((await services.pool.query('select from checked')).rowCount).toBe(0);
});

test('replaces a connection that is lost during the transaction', async () => {
  const lost = withTransaction(services, ({ em }) =>
    sql`select pg_terminate_backend(pg_backend_pid())`.execute(sqlOf(em)),
  );
  await expect(lost).rejects.toThrow();
  await withTransaction(services, ({ em }) => sql`insert into written values (2)`.execute(sqlOf(em)));
  expect((await services.pool.query('select n from written')).rows).toEqual([{ n: 2 }]);
});

test('the stack of a rejected statement leads to the operation', async () => {
  async function insertTwice() {
    await withTransaction(services, ({ em }) => sql`insert into written values (3), (3)`.execute(sqlOf(em)));
  }
  const error = await insertTwice().catch((thrown: Error) => thrown);
  expect((error as Error).stack).toContain('insertTwice');
});

test('counts the rows that a statement writes', async () => {
  await withTransaction(services, async ({ em }) => {
    const db = sqlOf(em);
    const { numAffectedRows } = await sql`update written set n = 4`.execute(db);
    expect(numAffectedRows).toBe(1n);
    expect((await sql`select n from written`.execute(db)).numAffectedRows).toBeUndefined();
  });
});
