import type { TicketSort } from '@firmdesk/contract';

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
}

const id: SortKey = { column: 'id', type: 'text' };
const lastMessage: SortKey = { column: 'last_message_at', type: 'timestamptz' };
const created: SortKey = { column: 'created_at', type: 'timestamptz' };

/** The five sorts of contract §4.7, and the one by the next due time: tickets without one come last. The database derives the columns of `queue` (migration 0004). */
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
  next_due_at: { keys: [{ column: 'next_due_at', type: 'timestamptz' }, id], direction: 'asc' },
};

/** Returns the `order by` list of a sort. */
export function orderBy({ keys, direction }: Sort, table: string): string {
  return keys.map(({ column }) => `${table}.${column} ${direction}`).join(', ');
}

/** Returns the condition that a row comes after the row with these sort values. */
export function afterCondition(
  { keys, direction }: Sort,
  table: string,
  placeholders: readonly string[],
): string {
  const columns = keys.map(({ column }) => `${table}.${column}`).join(', ');
  const values = keys.map(({ type }, i) => `${placeholders[i]}::${type}`).join(', ');
  return `(${columns}) ${direction === 'asc' ? '>' : '<'} (${values})`;
}
