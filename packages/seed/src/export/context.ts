import type { Sql, Tables } from '@firmdesk/domain/import';
import { type Selectable, sql } from 'kysely';

/** The transaction of an export, which sees one moment, and its firm. */
export interface ExportContext {
  sql: Sql;
  workspaceId: number;
  slug: string;
  now: Date;
}

/** The rows of a page, where rows are small. */
export const PAGE = 1_000;

/** Yields the pages of a table in the order of a key, from the row after the last one of the page before. */
export async function* pagesOf<Row, Key>(
  keyOf: (row: Row) => Key,
  read: (after: Key | null) => Promise<Row[]>,
  size = PAGE,
): AsyncGenerator<Row[]> {
  for (let after: Key | null = null; ; ) {
    const rows: Row[] = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = keyOf(rows.at(-1)!);
  }
}

type TableWith<Column extends string> = {
  [Table in keyof Tables]: Column extends keyof Tables[Table] ? Table : never;
}[keyof Tables];
type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;

/** Yields the rows of a table of the firm, page by page in the order of their ids. */
export function pagesOfTable<Table extends TableWith<'workspace_id'> & TableWith<'id'>>(
  { sql: db, workspaceId }: ExportContext,
  table: Table,
  size = PAGE,
): AsyncGenerator<Row<Table>[]> {
  return pagesOf(
    (row) => (row as { id: string | number }).id,
    async (after: string | number | null) => {
      const { rows } = await sql<Row<Table>>`
        select * from ${sql.table(table)}
        where workspace_id = ${workspaceId} ${after === null ? sql`` : sql`and id > ${after}`}
        order by id limit ${size}`.execute(db);
      return rows;
    },
    size,
  );
}

/** Reads the rows of a table of the firm whose column has one of the values, in an order. Returns them by the value. */
export async function rowsBy<
  Table extends TableWith<'workspace_id'>,
  Column extends keyof Row<Table> & string,
>(
  { sql: db, workspaceId }: ExportContext,
  table: Table,
  column: Column,
  values: readonly Row<Table>[Column][],
  order: readonly (keyof Row<Table> & string)[] = [column],
): Promise<(value: Row<Table>[Column]) => Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    select * from ${sql.table(table)}
    where workspace_id = ${workspaceId} and ${sql.ref(column)} = any(${values})
    order by ${sql.join(order.map((each) => sql.ref(each)))}`.execute(db);
  const groups = Map.groupBy(rows, (row) => row[column]);
  return (value) => groups.get(value) ?? [];
}
