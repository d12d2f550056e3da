import type { Sql } from '@firmdesk/domain/import';

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

/** Returns rows by the value of a column. */
export function groupBy<Row, Value>(
  rows: readonly Row[],
  groupOf: (row: Row) => Value,
): (value: Value) => Row[] {
  const groups = Map.groupBy(rows, groupOf);
  return (value) => groups.get(value) ?? [];
}
