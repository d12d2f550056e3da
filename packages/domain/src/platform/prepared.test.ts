import { sql } from 'kysely';
import { expect, inject, test } from 'vitest';
import { openTestServices } from '../testing/index.ts';
import { sqlOf } from './database.ts';
import { prepared } from './prepared.ts';
import { withTransaction } from './transaction.ts';

test('prepares a marked statement once per connection, in transactions too, and no other statement', async () => {
  await using base = await openTestServices(inject('postgresUrl'), { poolMax: 1 });
  const run = (n: number) =>
    withTransaction(base.services, async ({ em }) => {
      const marked = await sql<{ n: number }>`${prepared} select ${n}::integer + 1 as n`.execute(sqlOf(em));
      await sql`select ${n}::integer + 2`.execute(sqlOf(em));
      return marked.rows[0]!.n;
    });
  expect([await run(1), await run(2), await run(3)]).toEqual([2, 3, 4]);
  const { rows } = await base.services.pool.query(`select statement from pg_prepared_statements`);
  expect(rows.filter(({ statement }) => /select \$1::integer/.test(statement))).toEqual([
    { statement: '/* prepared */  select $1::integer + 1 as n' },
  ]);
});
