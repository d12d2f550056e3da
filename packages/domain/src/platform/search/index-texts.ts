import type { OperationContext } from '../database/context.ts';
import { withTransaction } from '../database/transaction.ts';
import { allFirms } from '../distribution/all-firms.ts';
import type { Services } from '../services.ts';
import { addPostings, run } from './add-postings.ts';
import type { IndexedTexts, PendingText, TextTable } from './indexed-texts.ts';
import { markOldTexts } from './mark-old-texts.ts';
import type { SearchIndex } from './search-index.ts';
import { distinctWords, FOLDING } from './search-text.ts';

/*
 * Adds the texts that writers left pending to the postings of their words (docs/decisions/0030). One process at a time does so
 * for a firm, so no writer of a record waits for another one because of search.
 */

/** A firm with fewer pending texts is left as it is: a search reads them in well below a millisecond. */
const MIN_PENDING = 100;
/** The number of texts of the first transaction. */
const FIRST_BATCH = 1_000;
/** The limits of later ones, so that each statement takes well below its time limit. */
const MAX_BATCH = 2_000;
const MAX_BATCH_CHARACTERS = 1_000_000;

/**
 * Indexes the pending texts of all firms that have enough of them, except firms whose texts another process indexes. Texts that were
 * folded by an earlier version are folded again.
 */
export async function indexAllFirms(
  services: Services,
  texts: IndexedTexts,
  signal?: AbortSignal,
): Promise<void> {
  const { index, tables } = texts;
  const old = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
     select workspace_id from ${index.progress} where folding < $1 and ${isAmong('workspace_id')}`,
    values: [FOLDING],
  });
  for (const { workspace_id } of old) {
    await markOldTexts(services, texts, workspace_id, signal);
    if (!signal?.aborted) await indexFirmTexts(services, texts, workspace_id, { signal });
  }
  const rows = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => {
      const pending = tables.map(
        ({ name }) => `select workspace_id from ${name} where search_pending and ${isAmong('workspace_id')}`,
      );
      return `${allFirms('search')}
       select workspace_id from (${pending.join(' union all ')}) as pending
       group by workspace_id having count(*) >= $1`;
    },
    values: [MIN_PENDING],
  });
  for (const { workspace_id } of rows) {
    if (!signal?.aborted) await indexFirmTexts(services, texts, workspace_id, { signal });
  }
}

/** Returns how many texts of a firm are pending. */
export async function countPendingTexts(
  { pool }: Services,
  { tables }: IndexedTexts,
  workspaceId: number,
): Promise<number> {
  const counts = tables.map(
    ({ name }) => `(select count(*) from ${name} where workspace_id = $1 and search_pending)`,
  );
  const { rows } = await pool.query<{ texts: number }>(`select (${counts.join(' + ')})::integer as texts`, [
    workspaceId,
  ]);
  return rows[0]!.texts;
}

export interface IndexOptions {
  /** Whether to wait while another process indexes texts of the firm. Otherwise the rest is left to that process. */
  waits?: boolean;
  signal?: AbortSignal | undefined;
  /** Called after each transaction with the number of texts that are indexed. */
  onProgress?: (texts: number) => void;
}

/** Indexes the pending texts of a firm, except those that a writer has locked. Returns how many it has indexed. */
export async function indexFirmTexts(
  services: Services,
  { index, tables }: IndexedTexts,
  workspaceId: number,
  { waits = false, signal, onProgress }: IndexOptions = {},
): Promise<number> {
  await services.pool.query(
    `insert into ${index.progress} (workspace_id, folding) values ($1, $2) on conflict do nothing`,
    [workspaceId, FOLDING],
  );
  let indexed = 0;
  for (const { indexBatch } of tables) {
    // Each batch continues where the last one ended. The index still has entries of the rows before, which are done.
    let from = '';
    let limit = FIRST_BATCH;
    for (;;) {
      if (signal?.aborted) return indexed;
      const batch = await withTransaction(services, async (ctx) => {
        const records = await lockProgress(ctx, index, workspaceId, waits);
        return records === null ? null : indexBatch(ctx, { workspaceId, records, from, limit });
      });
      if (batch === null) return indexed;
      indexed += batch.indexed;
      onProgress?.(indexed);
      if (batch.texts.length < limit || batch.indexed === 0) break;
      from = batch.texts.at(-1)!.record;
      const characters = batch.texts.reduce((sum, { text }) => sum + text.length, 0);
      const fitting = Math.floor((MAX_BATCH_CHARACTERS * batch.texts.length) / characters);
      limit = Math.max(1, Math.min(fitting, MAX_BATCH));
    }
  }
  return indexed;
}

/** Locks the firm's postings. Returns how many records are numbered; null if another process has the lock. */
async function lockProgress(
  ctx: OperationContext,
  { progress, numbers }: SearchIndex,
  workspaceId: number,
  waits: boolean,
): Promise<number | null> {
  const [row] = await run<{ records: number }>(
    ctx,
    `select ${numbers} as records from ${progress} where workspace_id = $1
     for no key update ${waits ? '' : 'skip locked'}`,
    [workspaceId],
  );
  return row ? row.records : null;
}

/**
 * Returns a table of records, which have `search_number`: numbers new records, and adds their pending texts to the postings. The rows are
 * written last, because writers wait for a record that is being written. A number whose record a writer has locked is not used again.
 */
export function recordTable(
  index: SearchIndex,
  name: string,
  refold: (searchText: string) => string,
): TextTable {
  return {
    name,
    async indexBatch(ctx, { workspaceId, records, from, limit }) {
      const found = await run<{ id: string; number: number | null; text: string }>(
        ctx,
        `select id, search_number as number, search_text as text from ${name}
         where workspace_id = $1 and search_pending and search_text is not null and id >= $2 order by id limit $3`,
        [workspaceId, from, limit],
      );
      let next = records;
      const texts = found.map(({ id, number, text }) => ({
        id,
        record: id,
        number: number ?? next++,
        text,
        folded: refold(text),
      }));
      if (texts.length === 0) return { texts, indexed: 0 };
      await addTexts(ctx, index, workspaceId, texts);
      await run(ctx, `update ${index.progress} set ${index.numbers} = $2 where workspace_id = $1`, [
        workspaceId,
        next,
      ]);
      // The ids are named, because the planner takes the rows of a firm that is new for few, and would read all of them for each batch.
      const written = await run(
        ctx,
        `with due as (
           select t.id, d.folded, d.number
           from unnest($2::text[], $3::text[], $4::text[], $5::integer[]) as d (id, text, folded, number)
           join ${name} t on t.id = d.id
           where t.workspace_id = $1 and t.id = any($2::text[]) and t.search_pending and t.search_text = d.text
           for no key update of t skip locked)
         update ${name} t set search_pending = false, search_text = d.folded, search_number = d.number from due d
         where t.workspace_id = $1 and t.id = any($2::text[]) and t.id = d.id returning 1`,
        [workspaceId, ...columnsOf(texts), texts.map(({ number }) => number)],
      );
      return { texts, indexed: written.length };
    },
  };
}

/** Adds texts to the postings of their words. */
export async function addTexts(
  ctx: OperationContext,
  index: SearchIndex,
  workspaceId: number,
  texts: readonly PendingText[],
): Promise<void> {
  const numbersOf = new Map<string, number[]>();
  for (const { number, folded } of texts) {
    for (const word of distinctWords(folded)) {
      const found = numbersOf.get(word);
      if (!found) numbersOf.set(word, [number]);
      else if (found.at(-1) !== number) found.push(number);
    }
  }
  await addPostings(ctx, index, workspaceId, numbersOf);
}

/** Returns the columns of a statement that writes texts. */
export function columnsOf(texts: readonly PendingText[]): [ids: string[], texts: string[], folded: string[]] {
  return [texts.map(({ id }) => id), texts.map(({ text }) => text), texts.map(({ folded }) => folded)];
}
