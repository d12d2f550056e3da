import type { Sql, Tables } from '@firmdesk/domain/import';
import { type Insertable, sql } from 'kysely';

/** Rows of one insert at most; a statement stays far below the server's limits and within its time. */
const MAX_ROWS = 2_000;

/**
 * Inserts rows by few statements, each with one parameter. All rows have the columns of the first; a column that none
 * has gets its default. Not for `bytea`, which JSON cannot hold.
 */
export async function insertRows<T extends keyof Tables & string>(
  db: Sql,
  table: T,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  if (!rows[0]) return;
  const columns = sql.join(Object.keys(rows[0]).map((column) => sql.ref(column)));
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    const chunk = JSON.stringify(rows.slice(from, from + MAX_ROWS));
    await sql`insert into ${sql.table(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${chunk}::json)`.execute(db);
  }
}
