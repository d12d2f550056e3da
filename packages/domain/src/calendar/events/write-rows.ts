import { sql } from 'kysely';
import type { Sql, Tables } from '../../platform/database/database.ts';

/** The maximum number of rows in a statement. */
export const BATCH_ROWS = 1_000;

/** Inserts rows. Their keys are the names of the columns; an omitted column is null. */
export async function insertRows(db: Sql, table: keyof Tables, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS) {
    const batch = JSON.stringify(rows.slice(from, from + BATCH_ROWS));
    const to = sql.table(table);
    await sql`
      insert into ${to} select * from jsonb_populate_recordset(null::${to}, ${batch}::jsonb)`.execute(db);
  }
}

/** Updates columns of one row of a firm. The keys are the names of the columns. */
export async function updateRow(
  db: Sql,
  table: keyof Tables,
  workspaceId: number,
  id: number,
  row: object,
): Promise<void> {
  const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  await sql`
    update ${sql.table(table)} set (${columns}) =
      (select ${columns} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb))
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
}
