import { type RawBuilder, sql } from 'kysely';
import type { Sql } from './database.ts';

/**
 * Executes writes as one statement, each as a part of its `with`: one round trip instead of one for each. PostgreSQL executes all of them, and
 * none sees the rows of another. On Citus the later ones see those of the earlier ones. So the rows of one may make no difference to another,
 * and no two may write the same row. None may be `insert … select`, which Citus commits in two phases.
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
