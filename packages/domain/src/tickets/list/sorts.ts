import type { TicketSort } from '@firmdesk/contract';
import type { Bind } from '../../platform/search/search-index.ts';
import { NEVER_DUE } from '../../sla/index.ts';

/** A column of a sort, and the SQL type of its value in a cursor. */
export interface SortKey {
  column:
    | 'queue_rank'
    | 'queue_key'
    | 'queue_tie'
    | 'last_message_at'
    | 'created_at'
    | 'urgency'
    | 'next_due_at'
    | 'id';
  type: 'smallint' | 'bigint' | 'timestamptz' | 'text';
}

/** A total order. All columns have the same direction, so one row comparison selects what follows a row. */
export interface Sort {
  keys: readonly SortKey[];
  direction: 'asc' | 'desc';
  /** The value of the first column that many tickets share and that comes last. */
  last?: string;
}

const id: SortKey = { column: 'id', type: 'text' };
const lastMessage: SortKey = { column: 'last_message_at', type: 'timestamptz' };
const created: SortKey = { column: 'created_at', type: 'timestamptz' };

/** The five sorts of contract §4.7, and the one by the next due time: tickets without one come last. The database derives the columns of `queue` (migration 0005). */
export const sorts: Record<TicketSort, Sort> = {
  queue: {
    keys: [
      { column: 'queue_rank', type: 'smallint' },
      { column: 'queue_key', type: 'bigint' },
      { column: 'queue_tie', type: 'text' },
    ],
    direction: 'asc',
  },
  '-last_message_at': { keys: [lastMessage, id], direction: 'desc' },
  '-created_at': { keys: [created, id], direction: 'desc' },
  created_at: { keys: [created, id], direction: 'asc' },
  '-priority': { keys: [{ column: 'urgency', type: 'smallint' }, lastMessage, id], direction: 'desc' },
  next_due_at: {
    keys: [{ column: 'next_due_at', type: 'timestamptz' }, id],
    direction: 'asc',
    last: NEVER_DUE,
  },
};

/** Returns the `order by` list of a sort. */
export function orderBy({ keys, direction }: Sort, table: string): string {
  return keys.map(({ column }) => `${table}.${column} ${direction}`).join(', ');
}

/** Whether only the other columns decide what comes after the row with these sort values. */
export function isAmongLast({ last }: Sort, values: readonly (string | number)[]): boolean {
  return last !== undefined && values[0] === last;
}

/** Returns the condition that a row comes after the row with these sort values. */
export function afterCondition(
  sort: Sort,
  table: string,
  values: readonly (string | number)[],
  bind: Bind,
): string {
  const placeholders = values.map(bind);
  const { keys, direction } = sort;
  if (!isAmongLast(sort, values)) return rowCondition(keys, direction, table, placeholders);
  // After the last value of the order, PostgreSQL expects no rows, and would plan the statement again for each such page.
  const { column, type } = keys[0]!;
  const others = rowCondition(keys.slice(1), direction, table, placeholders.slice(1));
  return `${table}.${column} = ${placeholders[0]}::${type} and ${others}`;
}

function rowCondition(
  keys: Sort['keys'],
  direction: Sort['direction'],
  table: string,
  placeholders: readonly string[],
): string {
  const columns = keys.map(({ column }) => `${table}.${column}`).join(', ');
  const bounds = keys.map(({ type }, i) => `${placeholders[i]}::${type}`).join(', ');
  return `(${columns}) ${direction === 'asc' ? '>' : '<'} (${bounds})`;
}
