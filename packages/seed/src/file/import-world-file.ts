import { type OperationContext, type Services, withTransaction } from '@firmdesk/domain';
import { sqlOf } from '@firmdesk/domain/import';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { CHUNK_RECORDS, type Chunk } from '../import/chunk.ts';
import { alreadyThere } from '../import/clashes.ts';
import {
  type ImportContext,
  type ImportState,
  importContext,
  madeBy,
  startState,
  takeUp,
} from '../import/context.ts';
import { countFrom } from '../import/ids.ts';
import type { ImportOptions } from '../import/import-world.ts';
import type { Made } from '../import/ledger.ts';
import { writeChunk } from '../import/writers.ts';
import { type Problem, WorldError } from '../problems.ts';
import { type WorldList, worldLists } from '../schema.ts';
import { checkFile } from './check-file.ts';
import { type OnProgress, Pace } from './pace.ts';
import { claimImport, findProgress, finishImport, keepBatch, type Place } from './progress.ts';
import { WorldFile } from './world-file.ts';

export interface FileImportOptions extends ImportOptions {
  /** Commits after each so many records; an import that was interrupted goes on from there. Without it: all or nothing. */
  batch?: number | undefined;
  onProgress?: OnProgress | undefined;
}

const lists = Object.keys(worldLists) as WorldList[];

/** Made in the last transaction: an import that goes on later has no plaintext of a token that it made before. */
const lastLists: readonly WorldList[] = ['tokens', 'devices'];

/**
 * Imports a world file of any size, which is read three times and never held whole. All of it is checked before anything
 * is written.
 * @throws WorldError naming what is wrong (the first hundred places), or the first record that is in the database already
 */
export async function importWorldFile(
  services: Services,
  path: string,
  { batch = Number.POSITIVE_INFINITY, onProgress, beforeCommit }: FileImportOptions = {},
): Promise<Made> {
  if (!(batch >= 1)) throw new RangeError('A batch has at least one record.');
  const file = await WorldFile.open(path);
  try {
    const db = sqlOf(services.orm.em.fork() as SqlEntityManager);
    const earlier = await findProgress(db, file.digest);
    if (earlier?.isFinished) throw new WorldError([await firstRecord(file)]);
    const state = await startState(db, earlier?.startedAt ?? services.clock.now());
    const pace = new Pace(onProgress);
    await checkFile(db, file, state, { isNew: earlier === undefined, pace });
    await takeUp(db, state, earlier?.parts ?? []);
    const next = earlier?.next ?? { list: lists[0]!, position: 0 };
    const writer = new FileWriter(file, state, pace, next, earlier?.parts.length ?? 0);
    for (;;) {
      const made = await withTransaction(services, (tx) => writer.writeBatch(tx, batch, beforeCommit));
      if (!made) continue;
      // The import holds by now, whatever becomes of this.
      await withTransaction(services, async (tx) => learnStatistics(await importContext(tx, state))).catch(
        (error: unknown) => services.log.warn({ err: error }, 'statistics not renewed after an import'),
      );
      return made;
    }
  } finally {
    await file.close();
  }
}

/** Writes a checked file, batch after batch. */
class FileWriter {
  readonly #file: WorldFile;
  readonly #state: ImportState;
  readonly #pace: Pace;
  readonly #chunks: AsyncGenerator<Chunk>;
  #next: Place;
  #batches: number;
  /** How many records the batch may still take. */
  #room = 0;

  constructor(file: WorldFile, state: ImportState, pace: Pace, next: Place, batches: number) {
    this.#file = file;
    this.#state = state;
    this.#pace = pace;
    this.#next = next;
    this.#batches = batches;
    const left = lists.slice(lists.indexOf(next.list)).filter((list) => !lastLists.includes(list));
    this.#chunks = this.#read(left, next.position);
  }

  /** @returns what was made, once nothing is left */
  async writeBatch(
    tx: OperationContext,
    size: number,
    beforeCommit: ImportOptions['beforeCommit'],
  ): Promise<Made | null> {
    const ctx = await importContext(tx, this.#state);
    await claimImport(ctx.sql, this.#file.digest, ctx.now, this.#batches);
    for (const [table, highest] of ctx.highestIds) await countFrom(ctx.sql, table, highest);
    this.#room = size;
    while (this.#room > 0) {
      const { value: chunk } = await this.#chunks.next();
      if (!chunk) return this.#finish(ctx, beforeCommit);
      await this.#write(ctx, chunk);
      this.#room -= chunk.records.length;
    }
    await keepBatch(ctx.sql, this.#file.digest, this.#batches++, this.#next, ctx.ledger.takeFresh());
    return null;
  }

  async #finish(ctx: ImportContext, beforeCommit: ImportOptions['beforeCommit']): Promise<Made> {
    this.#room = Number.POSITIVE_INFINITY;
    for await (const chunk of this.#read(lastLists, 0)) await this.#write(ctx, chunk);
    await finishImport(ctx.sql, this.#file.digest, ctx.services.clock.now());
    const made = madeBy(ctx);
    await beforeCommit?.(made);
    return made;
  }

  async #write(ctx: ImportContext, chunk: Chunk): Promise<void> {
    const { list, first, records } = chunk;
    await writeChunk(ctx, chunk);
    this.#next = { list, position: first + records.length };
    this.#pace.advance(records.length, this.#next.position, this.#file.count(list));
  }

  async *#read(lists: readonly WorldList[], first: number): AsyncGenerator<Chunk> {
    let from = first;
    for (const list of lists) {
      this.#pace.start('write', list);
      const chunks = this.#file.read(list, from, () => Math.min(this.#room, CHUNK_RECORDS));
      for await (const { first, values } of chunks)
        yield { list, first, records: values.map((value) => worldLists[list].parse(value)) };
      from = 0;
    }
  }
}

/** The planner knows nothing of rows that came all at once, until it looks at them: searches would go the wrong way. */
async function learnStatistics({ sql: db }: ImportContext): Promise<void> {
  await sql`
    analyze users, memberships, mailboxes, mail_messages, events, event_overrides, tickets, ticket_messages, ticket_tags,
      notifications, affiliate_pre_registrations`.execute(db);
}

/** What a file that was imported before is refused for. */
async function firstRecord(file: WorldFile): Promise<Problem> {
  for (const list of lists)
    for await (const { values } of file.read(list, 0, () => 1)) return alreadyThere(list, 0, values[0]);
  return { path: '', message: 'This file, which is empty, was imported before.' };
}
