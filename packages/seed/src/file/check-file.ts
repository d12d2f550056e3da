import type { Sql } from '@firmdesk/domain/import';
import { checkRecords } from '../import/check.ts';
import { CHUNK_RECORDS } from '../import/chunk.ts';
import { findClash } from '../import/clashes.ts';
import type { ImportState } from '../import/context.ts';
import { MAX_PROBLEMS, type Problem, problemsOf, WorldError } from '../problems.ts';
import { type WorldList, type WorldRecord, worldLists } from '../schema.ts';
import type { Pace } from './pace.ts';
import type { RawChunk, WorldFile } from './world-file.ts';

/**
 * Reads a file for what is wrong in it, list after list: a list refers only to those before it.
 * @param isNew whether none of it can be in the database yet
 * @throws WorldError
 */
export async function checkFile(
  db: Sql,
  file: WorldFile,
  state: ImportState,
  { isNew, pace }: { isNew: boolean; pace: Pace },
): Promise<void> {
  const problems: Problem[] = [];
  let clash: Problem | undefined;
  for (const list of Object.keys(worldLists) as WorldList[]) {
    pace.start('check', list);
    for await (const raw of file.read(list, 0, () => CHUNK_RECORDS)) {
      const { records, problems: found } = checkChunk(state, list, raw);
      problems.push(...found);
      if (problems.length >= MAX_PROBLEMS) throw new WorldError(problems);
      if (isNew && problems.length === 0) clash ??= await findClash(db, { list, first: raw.first, records });
      pace.advance(raw.values.length, raw.first + raw.values.length, file.count(list));
    }
  }
  if (problems.length > 0) throw new WorldError(problems);
  if (clash) throw new WorldError([clash]);
}

function checkChunk<L extends WorldList>(
  state: ImportState,
  list: L,
  { first, values }: RawChunk,
): { records: WorldRecord<L>[]; problems: Problem[] } {
  const records: WorldRecord<L>[] = [];
  const problems: Problem[] = [];
  for (const [i, value] of values.entries()) {
    const at = [list, first + i];
    const parsed = worldLists[list].safeParse(value);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, at));
      continue;
    }
    const record = parsed.data as WorldRecord<L>;
    records.push(record);
    problems.push(
      ...state.index.add(list, record, at),
      ...state.index.check(list, record, at),
      ...checkRecords(state, { list, first: first + i, records: [record] }),
    );
  }
  return { records, problems };
}
