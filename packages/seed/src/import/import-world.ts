import { type Services, withTransaction } from '@firmdesk/domain';
import { sqlOf } from '@firmdesk/domain/import';
import { WorldError } from '../problems.ts';
import { type WorldList, worldLists } from '../schema.ts';
import { parseWorld } from '../world-index.ts';
import { checkRecords } from './check.ts';
import { chunksOf } from './chunk.ts';
import { findClash } from './clashes.ts';
import { importContext, madeBy, startState } from './context.ts';
import { countFrom } from './ids.ts';
import type { Made } from './ledger.ts';
import { writeChunk } from './writers.ts';

export interface ImportOptions {
  /** Called with what was made, before it holds: what fails here takes the import back. */
  beforeCommit?: ((made: Made) => Promise<void>) | undefined;
}

/**
 * Imports a world that is in memory, in one transaction: all of it or nothing.
 * @param input what a world file holds
 * @throws WorldError naming every place that is wrong, or the first record that is in the database already
 */
export function importWorld(
  services: Services,
  input: unknown,
  { beforeCommit }: ImportOptions = {},
): Promise<Made> {
  return withTransaction(services, async (tx) => {
    const state = await startState(sqlOf(tx.em), tx.now);
    const world = parseWorld(input, state.index);
    const chunks = (Object.keys(worldLists) as WorldList[]).flatMap((list) =>
      chunksOf<WorldList>(list, world[list]),
    );
    const problems = chunks.flatMap((chunk) => checkRecords(state, chunk));
    if (problems.length > 0) throw new WorldError(problems);
    const ctx = await importContext(tx, state);
    for (const chunk of chunks) {
      const clash = await findClash(ctx.sql, chunk);
      if (clash) throw new WorldError([clash]);
    }
    for (const [table, highest] of state.highestIds) await countFrom(ctx.sql, table, highest);
    for (const chunk of chunks) await writeChunk(ctx, chunk);
    const made = madeBy(ctx);
    await beforeCommit?.(made);
    return made;
  });
}
