import { type Services, withTransaction } from '@firmdesk/domain';
import { SeedError } from '../problems.ts';
import { type SeedList, seedLists } from '../schema.ts';
import { parseSeed } from '../seed-index.ts';
import { checkRecords } from './check.ts';
import { chunksOf } from './chunk.ts';
import { findConflict } from './conflicts.ts';
import { importContext, initialState, resultOf } from './context.ts';
import type { ImportResult } from './id-map.ts';
import { advanceSequence } from './ids.ts';
import { writeChunk } from './writers.ts';

export interface ImportOptions {
  /** Called with the result before the commit. If it throws, the import is rolled back. */
  beforeCommit?: ((imported: ImportResult) => Promise<void>) | undefined;
}

/**
 * Imports a seed from memory in one transaction.
 * @param input the content of an import file
 * @throws SeedError with every problem, or with the first record that already exists
 */
export function importSeed(
  services: Services,
  input: unknown,
  { beforeCommit }: ImportOptions = {},
): Promise<ImportResult> {
  return withTransaction(services, async (tx) => {
    const state = await initialState(tx.db, tx.now);
    const seed = parseSeed(input, state.index);
    const chunks = (Object.keys(seedLists) as SeedList[]).flatMap((list) =>
      chunksOf<SeedList>(list, seed[list]),
    );
    const problems = chunks.flatMap((chunk) => checkRecords(state, chunk));
    if (problems.length > 0) throw new SeedError(problems);
    const ctx = await importContext(tx, state);
    for (const chunk of chunks) {
      const conflict = await findConflict(ctx.sql, chunk);
      if (conflict) throw new SeedError([conflict]);
    }
    for (const [table, highest] of state.highestIds) await advanceSequence(ctx.sql, table, highest);
    for (const chunk of chunks) await writeChunk(ctx, chunk);
    const imported = resultOf(ctx);
    await beforeCommit?.(imported);
    return imported;
  });
}
