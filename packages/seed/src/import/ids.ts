import type { IdKind } from '@firmdesk/contract';
import { newId } from '@firmdesk/domain';
import type { Sql, Tables } from '@firmdesk/domain/import';
import { sql } from 'kysely';

/** The tables whose integer ids the database counts. */
export type SerialTable = keyof Tables &
  ('workspaces' | 'mailboxes' | 'mail_threads' | 'calendars' | 'events' | 'tags' | 'teams');

/** Ids of an age: `times[i]` is the moment that the i-th names. Where two are of one millisecond, the ids keep their order. */
export function idsAt(kind: IdKind, times: readonly string[]): string[] {
  const oldestFirst = times.map((_, i) => i).sort((a, b) => compare(times[a]!, times[b]!) || a - b);
  const ids = times.map((time) => idAt(kind, time)).sort(compare);
  const inOrder: string[] = new Array(times.length);
  for (const [rank, position] of oldestFirst.entries()) inOrder[position] = ids[rank]!;
  return inOrder;
}

/** An id of an age; ids know no moment before 1970. */
export function idAt(kind: IdKind, time: string): string {
  return newId(kind, new Date(Math.max(0, Date.parse(time))));
}

/** The id that each record brings, or one that the database counts. */
export async function serialIds(
  db: Sql,
  table: SerialTable,
  records: readonly { id?: number | null | undefined }[],
): Promise<number[]> {
  const missing = records.filter(({ id }) => id == null).length;
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence(${table}, 'id'))::integer as id from generate_series(1, ${missing}::integer)`.execute(
    db,
  );
  let used = 0;
  return records.map(({ id }) => id ?? rows[used++]!.id);
}

/** Lets the database count on from behind an id that the file gives, so that none is given twice. */
export async function advanceSequence(db: Sql, table: SerialTable, highest: number): Promise<void> {
  await sql`
    select setval(sequence::regclass, ${highest}::bigint)
    from pg_get_serial_sequence(${table}, 'id') as sequence
    where coalesce(pg_sequence_last_value(sequence::regclass), 0) < ${highest}::bigint`.execute(db);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
