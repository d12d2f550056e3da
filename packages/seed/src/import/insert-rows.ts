import type { Sql, Tables } from '@firmdesk/domain/import';
import { type Insertable, sql } from 'kysely';

/** The maximum number of rows per insert, far below the limits of the server and the statement timeout. */
const MAX_ROWS = 2_000;

/**
 * Inserts rows with few statements of one parameter each. All rows must have the columns of the first; other columns get
 * their defaults. Does not support `bytea`, which JSON cannot represent.
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
