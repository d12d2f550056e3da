import type { TicketSort } from '@firmdesk/contract';

/** One column of an order, and the type that a cursor's value of it has. */
export interface SortKey {
  column: 'queue_rank' | 'queue_key' | 'queue_tie' | 'last_message_at' | 'created_at' | 'urgency' | 'id';
  type: 'smallint' | 'bigint' | 'timestamptz' | 'text';
}

/** A total order in one direction over all its columns, so that what follows a row is one comparison of rows. */
export interface Sort {
  keys: readonly SortKey[];
  direction: 'asc' | 'desc';
}

const id: SortKey = { column: 'id', type: 'text' };
const active: SortKey = { column: 'last_message_at', type: 'timestamptz' };
const created: SortKey = { column: 'created_at', type: 'timestamptz' };

/** The five orders of contract §4.7; the queue's is in columns that the database derives (migration 0004). */
export const sorts: Record<TicketSort, Sort> = {
  queue: {
    keys: [
      { column: 'queue_rank', type: 'smallint' },
      { column: 'queue_key', type: 'bigint' },
      { column: 'queue_tie', type: 'text' },
    ],
    direction: 'asc',
  },
  '-last_message_at': { keys: [active, id], direction: 'desc' },
  '-created_at': { keys: [created, id], direction: 'desc' },
  created_at: { keys: [created, id], direction: 'asc' },
  '-priority': { keys: [{ column: 'urgency', type: 'smallint' }, active, id], direction: 'desc' },
};

/** `order by` of a sort. */
export function orderBy({ keys, direction }: Sort, table: string): string {
  return keys.map(({ column }) => `${table}.${column} ${direction}`).join(', ');
}

/** The condition that a row comes after the one with these values. */
export function after({ keys, direction }: Sort, table: string, placeholders: readonly string[]): string {
  const columns = keys.map(({ column }) => `${table}.${column}`).join(', ');
  const values = keys.map(({ type }, i) => `${placeholders[i]}::${type}`).join(', ');
  return `(${columns}) ${direction === 'asc' ? '>' : '<'} (${values})`;
}
