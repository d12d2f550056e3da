import { type RawBuilder, sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * Executes writes as one statement, each as a part of its `with`: one round trip instead of one for each. PostgreSQL executes all of them, and
 * none sees the rows of another, so none may need them, and no two may write the same row. Citus does the same if none is `insert … select`.
 */
export async function executeWrites(db: Sql, writes: readonly RawBuilder<unknown>[]): Promise<void> {
  const [first, ...others] = writes;
  if (!first) return;
  if (others.length === 0) await first.execute(db);
  else
    await sql`with ${sql.join(writes.map((write, i) => sql`${sql.ref(`w${i}`)} as (${write})`))} select`.execute(
      db,
    );
}
