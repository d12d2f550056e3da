import { openTestServices } from '@firmdesk/testing';
import { sql } from 'kysely';
import { afterAll, expect, inject, test } from 'vitest';
import type { OperationContext } from './context.ts';
import { inTransaction, newContext, withTransaction } from './transaction.ts';

/** A single connection: a transaction that does not return it makes the next one wait for ever. */
const base = await openTestServices(inject('postgresUrl'), { poolSizes: { main: 1 } });
const { services } = base;
afterAll(() => base[Symbol.asyncDispose]());
await services.pool.query('create table written (n integer primary key)');

test('reads a snapshot', async () => {
  const settings = await withTransaction(
    services,
    async ({ db }) => {
      const { rows } = await sql<{ isolation: string; read_only: string }>`
        select current_setting('transaction_isolation') as isolation, current_setting('transaction_read_only') as read_only`.execute(
        db,
      );
      return rows;
    },
    { isSnapshot: true },
  );
  expect(settings).toEqual([{ isolation: 'repeatable read', read_only: 'on' }]);
});

test('an operation that throws writes nothing, and its manager leaves the transaction', async () => {
  const ctx = newContext(services);
  const failing = inTransaction(ctx, async ({ em, db }) => {
    await sql`insert into written values (1)`.execute(db);
    expect(em.isInTransaction()).toBe(true);
    throw new Error('never mind');
  });
  await expect(failing).rejects.toThrow('never mind');
  expect(ctx.em.isInTransaction()).toBe(false);
  const { rows } = await sql`select n from written`.execute(ctx.db);
  expect(rows).toEqual([]);
});

test('rejects with the error of the commit, and returns the connection', async () => {
  await services.pool.query(
    'create table checked (n integer references written deferrable initially deferred)',
  );
  const failing = withTransaction(services, ({ db }) => sql`insert into checked values (7)`.execute(db));
  await expect(failing).rejects.toThrow('violates foreign key constraint');
  expect((await services.pool.query('select from checked')).rowCount).toBe(0);
});

test('replaces a connection that is lost during the transaction', async () => {
  const lost = withTransaction(services, ({ db }) =>
    sql`select pg_terminate_backend(pg_backend_pid())`.execute(db),
  );
  await expect(lost).rejects.toThrow();
  await withTransaction(services, ({ db }) => sql`insert into written values (2)`.execute(db));
  expect((await services.pool.query('select n from written')).rows).toEqual([{ n: 2 }]);
});

test('the stack of a rejected statement leads to the operation', async () => {
  async function insertTwice({ db }: OperationContext) {
    await sql`insert into written values (3), (3)`.execute(db);
  }
  const error = await withTransaction(services, insertTwice).catch((thrown: Error) => thrown);
  expect((error as Error).stack).toContain('insertTwice');
});

test('counts the rows that a statement writes', async () => {
  await withTransaction(services, async ({ db }) => {
    const { numAffectedRows } = await sql`update written set n = 4`.execute(db);
    expect(numAffectedRows).toBe(1n);
    expect((await sql`select n from written`.execute(db)).numAffectedRows).toBeUndefined();
  });
});
