import { DataRow } from '../data-row.ts';

/** Returns the row that PostgreSQL would send with these columns. */
export function dataRowOf(columns: readonly (string | null)[]): DataRow {
  const bytes = Buffer.concat([
    int(2, columns.length),
    ...columns.map((text) => {
      if (text === null) return int(4, -1);
      const column = Buffer.from(text);
      return Buffer.concat([int(4, column.length), column]);
    }),
  ]);
  return new DataRow().set(bytes, 0, bytes.length);
}

function int(size: 2 | 4, value: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(value, 0, size);
  return bytes;
}
