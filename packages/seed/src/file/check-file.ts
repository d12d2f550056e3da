import type { Sql } from '@firmdesk/domain/import';
import { checkRecords } from '../import/check.ts';
import { CHUNK_RECORDS } from '../import/chunk.ts';
import { findConflict } from '../import/conflicts.ts';
import type { ImportState } from '../import/context.ts';
import { MAX_PROBLEMS, type Problem, problemsOf, SeedError } from '../problems.ts';
import { type SeedList, type SeedRecord, seedLists } from '../schema.ts';
import type { ImportFile, RawChunk } from './import-file.ts';
import type { ProgressReporter } from './progress-reporter.ts';

/**
 * Checks all records of a file, list by list; a list refers only to lists before it.
 * @param isNew whether the import has not started before, so that records must not be in the database
 * @throws SeedError
 */
export async function checkFile(
  db: Sql,
  file: ImportFile,
  state: ImportState,
  { isNew, reporter }: { isNew: boolean; reporter: ProgressReporter },
): Promise<void> {
  const problems: Problem[] = [];
  let conflict: Problem | undefined;
  for (const list of Object.keys(seedLists) as SeedList[]) {
    reporter.start('check', list);
    for await (const raw of file.read(list, 0, () => CHUNK_RECORDS)) {
      const { records, problems: found } = checkChunk(state, list, raw);
      problems.push(...found);
      if (problems.length >= MAX_PROBLEMS) throw new SeedError(problems);
      if (isNew && problems.length === 0)
        conflict ??= await findConflict(db, { list, first: raw.first, records });
      reporter.advance(raw.values.length, raw.first + raw.values.length, file.count(list));
    }
  }
  if (problems.length > 0) throw new SeedError(problems);
  if (conflict) throw new SeedError([conflict]);
}

function checkChunk<L extends SeedList>(
  state: ImportState,
  list: L,
  { first, values }: RawChunk,
): { records: SeedRecord<L>[]; problems: Problem[] } {
  const records: SeedRecord<L>[] = [];
  const problems: Problem[] = [];
  for (const [i, value] of values.entries()) {
    const at = [list, first + i];
    const parsed = seedLists[list].safeParse(value);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, at));
      continue;
    }
    const record = parsed.data as SeedRecord<L>;
    records.push(record);
    problems.push(
      ...state.index.add(list, record, at),
      ...state.index.check(list, record, at),
      ...checkRecords(state, { list, first: first + i, records: [record] }),
    );
  }
  return { records, problems };
}
