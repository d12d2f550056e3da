import type { IdKind } from '@firmdesk/contract';
import { newId } from '@firmdesk/domain';
import type { Sql, Tables } from '@firmdesk/domain/import';
import { sql } from 'kysely';

/** Tables with serial ids. */
export type SerialTable = keyof Tables &
  ('workspaces' | 'mailboxes' | 'mail_threads' | 'calendars' | 'events' | 'tags' | 'teams');

/** Returns ids with the given times. Ids of the same millisecond keep the order of `times`. */
export function idsAt(kind: IdKind, times: readonly string[]): string[] {
  const oldestFirst = times.map((_, i) => i).sort((a, b) => compare(times[a]!, times[b]!) || a - b);
  const ids = times.map((time) => idAt(kind, time)).sort(compare);
  const inOrder: string[] = new Array(times.length);
  for (const [rank, position] of oldestFirst.entries()) inOrder[position] = ids[rank]!;
  return inOrder;
}

/** Returns an id with the given time, at the earliest 1970. */
export function idAt(kind: IdKind, time: string): string {
  return newId(kind, new Date(Math.max(0, Date.parse(time))));
}

/** Returns the id of each record, or the next one of the table's sequence. */
export async function serialIds(
  db: Sql,
  table: SerialTable,
  records: readonly { id?: number | null | undefined }[],
): Promise<number[]> {
  const missing = records.filter(({ id }) => id == null).length;
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id')) as id
    from generate_series(1, ${missing}::integer)`.execute(db);
  let used = 0;
  return records.map(({ id }) => id ?? rows[used++]!.id);
}

/** Advances the table's sequence to an id of the file, so that no id is used twice. */
export async function advanceSequence(db: Sql, table: SerialTable, highest: number): Promise<void> {
  await sql`
    select setval(sequence::regclass, ${highest}::bigint)
    from pg_get_serial_sequence(${table}, 'id') as sequence
    where coalesce(pg_sequence_last_value(sequence::regclass), 0) < ${highest}::bigint`.execute(db);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
