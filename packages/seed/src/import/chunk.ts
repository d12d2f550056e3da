import type { SeedList, SeedRecord } from '../schema.ts';

/** Records of one list that are checked or written together. */
export interface Chunk<L extends SeedList = SeedList> {
  list: L;
  /** The position of the first record in its list. */
  first: number;
  records: readonly SeedRecord<L>[];
}

/** The maximum number of records of a chunk. */
export const CHUNK_RECORDS = 500;

/** Splits a list into chunks. */
export function chunksOf<L extends SeedList>(list: L, records: readonly SeedRecord<L>[]): Chunk<L>[] {
  const chunks: Chunk<L>[] = [];
  for (let first = 0; first < records.length; first += CHUNK_RECORDS)
    chunks.push({ list, first, records: records.slice(first, first + CHUNK_RECORDS) });
  return chunks;
}
