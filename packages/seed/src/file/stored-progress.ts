import type { Sql } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import type { IdMapPart } from '../import/id-map.ts';
import { SeedError } from '../problems.ts';
import type { SeedList } from '../schema.ts';

const LOCK_NOT_AVAILABLE = '55P03';

/** The next record of an import file. */
export interface ImportPosition {
  list: SeedList;
  position: number;
}

/** The stored progress of an import that was started before. */
export interface StoredProgress {
  startedAt: Date;
  isFinished: boolean;
  /** The additions of each committed batch, in order. */
  parts: IdMapPart[];
  next: ImportPosition | null;
}

/** Returns the progress of the import of a file, by its digest; undefined if it was never started. */
export async function findProgress(db: Sql, digest: Buffer): Promise<StoredProgress | undefined> {
  const { rows } = await sql<{ started_at: string; finished_at: string | null }>`
    select started_at, finished_at from imports where digest = ${digest}`.execute(db);
  if (!rows[0]) return undefined;
  const batches = await sql<{ next_list: SeedList; next_position: number; made: IdMapPart }>`
    select next_list, next_position, made from import_batches
    where digest = ${digest} order by batch`.execute(db);
  const last = batches.rows.at(-1);
  return {
    startedAt: new Date(rows[0].started_at),
    isFinished: rows[0].finished_at !== null,
    parts: batches.rows.map(({ made }) => made),
    next: last ? { list: last.next_list, position: last.next_position } : null,
  };
}

/**
 * Locks the file's import until the transaction ends.
 * @param batches the number of committed batches that the caller knows of
 * @throws SeedError when another process imports the file, or has imported it meanwhile
 */
export async function claimImport(db: Sql, digest: Buffer, startedAt: Date, batches: number): Promise<void> {
  const refusal = new SeedError([{ path: '', message: 'This file is being imported by another process.' }]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${digest.toString('hex')}, 0))`
    .execute(db)
    .catch((error: { code?: string }) => {
      throw error.code === LOCK_NOT_AVAILABLE ? refusal : error;
    });
  await sql`
    insert into imports (digest, started_at) values (${digest}, ${startedAt.toISOString()})
    on conflict (digest) do nothing`.execute(db);
  const { rows } = await sql<{ is_unchanged: boolean }>`
    select finished_at is null
      and (select count(*) from import_batches where digest = ${digest}) = ${batches}::bigint as is_unchanged
    from imports where digest = ${digest}`.execute(db);
  if (!rows[0]!.is_unchanged) throw refusal;
}

/** Stores the additions of a batch, and the position of the next record. */
export async function saveBatch(
  db: Sql,
  digest: Buffer,
  batch: number,
  next: ImportPosition,
  made: IdMapPart,
): Promise<void> {
  await sql`
    insert into import_batches (digest, batch, next_list, next_position, made)
    values (${digest}, ${batch}, ${next.list}, ${next.position}, ${JSON.stringify(made)}::json)`.execute(db);
}

/** Marks the import as finished and deletes its batches. */
export async function finishImport(db: Sql, digest: Buffer, now: Date): Promise<void> {
  await sql`delete from import_batches where digest = ${digest}`.execute(db);
  await sql`update imports set finished_at = ${now.toISOString()} where digest = ${digest}`.execute(db);
}
