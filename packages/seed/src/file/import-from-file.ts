import { type OperationContext, type Services, withTransaction } from '@firmdesk/domain';
import { sqlOf } from '@firmdesk/domain/import';
import { sql } from 'kysely';
import { CHUNK_RECORDS, type Chunk } from '../import/chunk.ts';
import { alreadyExists } from '../import/conflicts.ts';
import {
  type ImportContext,
  type ImportState,
  importContext,
  initialState,
  restoreState,
  resultOf,
} from '../import/context.ts';
import type { ImportResult } from '../import/id-map.ts';
import { advanceSequence } from '../import/ids.ts';
import type { ImportOptions } from '../import/import-seed.ts';
import { writeChunk } from '../import/writers.ts';
import { type Problem, SeedError } from '../problems.ts';
import { type SeedList, seedLists } from '../schema.ts';
import { checkFile } from './check-file.ts';
import { ImportFile } from './import-file.ts';
import { type OnProgress, ProgressReporter } from './progress-reporter.ts';
import {
  claimImport,
  findProgress,
  finishImport,
  type ImportPosition,
  saveBatch,
} from './stored-progress.ts';

export interface FileImportOptions extends ImportOptions {
  /** Commits after this many records; an interrupted import continues there. Without it the import is one transaction. */
  batch?: number | undefined;
  onProgress?: OnProgress | undefined;
}

const lists = Object.keys(seedLists) as SeedList[];

/** These are written in the last transaction, because a continued import no longer has the plaintext of earlier tokens. */
const finalLists: readonly SeedList[] = ['tokens', 'devices'];

/**
 * Imports a file of any size. It is read three times and never held in memory as a whole. All of it is checked before
 * anything is written.
 * @throws SeedError with the first hundred problems, or with the first record that already exists
 */
export async function importFromFile(
  services: Services,
  path: string,
  { batch = Number.POSITIVE_INFINITY, onProgress, beforeCommit }: FileImportOptions = {},
): Promise<ImportResult> {
  if (!(batch >= 1)) throw new RangeError('"batch" must be at least 1.');
  const file = await ImportFile.open(path);
  try {
    const db = sqlOf(services.orm);
    const earlier = await findProgress(db, file.digest);
    if (earlier?.isFinished) throw new SeedError([await alreadyImported(file)]);
    const state = await initialState(db, earlier?.startedAt ?? services.clock.now());
    const reporter = new ProgressReporter(onProgress);
    await checkFile(db, file, state, { isNew: earlier === undefined, reporter });
    await restoreState(db, state, earlier?.parts ?? []);
    const next = earlier?.next ?? { list: lists[0]!, position: 0 };
    const writer = new FileWriter(file, state, reporter, next, earlier?.parts.length ?? 0);
    for (;;) {
      const imported = await withTransaction(services, (tx) => writer.writeBatch(tx, batch, beforeCommit));
      if (!imported) continue;
      // The import is committed, so a failure here is only logged.
      await withTransaction(services, async (tx) => analyzeTables(await importContext(tx, state))).catch(
        (error: unknown) => services.log.warn({ err: error }, 'could not analyze tables after an import'),
      );
      return imported;
    }
  } finally {
    await file.close();
  }
}

/** Writes a checked file, batch by batch. */
class FileWriter {
  readonly #file: ImportFile;
  readonly #state: ImportState;
  readonly #reporter: ProgressReporter;
  readonly #chunks: AsyncGenerator<Chunk>;
  #next: ImportPosition;
  #batches: number;
  /** The number of records that the current batch can still take. */
  #remaining = 0;

  constructor(
    file: ImportFile,
    state: ImportState,
    reporter: ProgressReporter,
    next: ImportPosition,
    batches: number,
  ) {
    this.#file = file;
    this.#state = state;
    this.#reporter = reporter;
    this.#next = next;
    this.#batches = batches;
    const left = lists.slice(lists.indexOf(next.list)).filter((list) => !finalLists.includes(list));
    this.#chunks = this.#read(left, next.position);
  }

  /** @returns the result after the last batch, otherwise null */
  async writeBatch(
    tx: OperationContext,
    size: number,
    beforeCommit: ImportOptions['beforeCommit'],
  ): Promise<ImportResult | null> {
    const ctx = await importContext(tx, this.#state);
    await claimImport(ctx.sql, this.#file.digest, ctx.now, this.#batches);
    for (const [table, highest] of ctx.highestIds) await advanceSequence(ctx.sql, table, highest);
    this.#remaining = size;
    while (this.#remaining > 0) {
      const { value: chunk } = await this.#chunks.next();
      if (!chunk) return this.#finish(ctx, beforeCommit);
      await this.#write(ctx, chunk);
      this.#remaining -= chunk.records.length;
    }
    await saveBatch(ctx.sql, this.#file.digest, this.#batches++, this.#next, ctx.idMap.takeUnsaved());
    return null;
  }

  async #finish(ctx: ImportContext, beforeCommit: ImportOptions['beforeCommit']): Promise<ImportResult> {
    this.#remaining = Number.POSITIVE_INFINITY;
    for await (const chunk of this.#read(finalLists, 0)) await this.#write(ctx, chunk);
    await finishImport(ctx.sql, this.#file.digest, ctx.services.clock.now());
    const imported = resultOf(ctx);
    await beforeCommit?.(imported);
    return imported;
  }

  async #write(ctx: ImportContext, chunk: Chunk): Promise<void> {
    const { list, first, records } = chunk;
    await writeChunk(ctx, chunk);
    this.#next = { list, position: first + records.length };
    this.#reporter.advance(records.length, this.#next.position, this.#file.count(list));
  }

  async *#read(lists: readonly SeedList[], first: number): AsyncGenerator<Chunk> {
    let from = first;
    for (const list of lists) {
      this.#reporter.start('write', list);
      const chunks = this.#file.read(list, from, () => Math.min(this.#remaining, CHUNK_RECORDS));
      for await (const { first, values } of chunks)
        yield { list, first, records: values.map((value) => seedLists[list].parse(value)) };
      from = 0;
    }
  }
}

/** Updates the planner's statistics. Without them, searches over the new rows would use bad plans. */
async function analyzeTables({ sql: db }: ImportContext): Promise<void> {
  await sql`
    analyze users, memberships, mailboxes, mail_messages, events, event_overrides, tickets, ticket_messages, ticket_tags,
      notifications, affiliate_pre_registrations`.execute(db);
}

/** Returns the problem of a file that was imported before. */
async function alreadyImported(file: ImportFile): Promise<Problem> {
  for (const list of lists)
    for await (const { values } of file.read(list, 0, () => 1)) return alreadyExists(list, 0, values[0]);
  return { path: '', message: 'This empty file was already imported.' };
}
