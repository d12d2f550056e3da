export type SortKey = string | number | null;

/** Returns the rows that a table shows: those in which every word of a text occurs, in the chosen order. Rows without a value come last. */
export function shownRows<Row>(
  rows: readonly Row[],
  {
    text,
    textOf,
    sortBy,
    isDown,
  }: {
    text: string;
    textOf(row: Row): string;
    /** Null keeps the order of the rows. */
    sortBy: ((row: Row) => SortKey) | null;
    isDown: boolean;
  },
): Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const all = textOf(row).toLowerCase();
    return words.every((word) => all.includes(word));
  });
  if (!sortBy) return found;
  return found.toSorted((a, b) => {
    const [x, y] = [sortBy(a), sortBy(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === 'number' && typeof y === 'number' ? x - y : compare(String(x), String(y));
    return isDown ? -order : order;
  });
}

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
