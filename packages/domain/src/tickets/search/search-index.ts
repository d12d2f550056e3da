import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import type { Services } from '../../platform/services.ts';
import { addPostings, run } from './add-postings.ts';
import { markOldTexts } from './refold-texts.ts';
import { distinctWords, FOLDING, refold } from './search-text.ts';

/*
 * Adds the texts that writers left pending to the postings of their words (docs/decisions/0030). One process at a time does so
 * for a firm, so no writer of tickets waits for another one because of search.
 */

/** A firm with fewer pending texts is left as it is: a search reads them in well below a millisecond. */
const MIN_PENDING = 100;
/** The number of texts of the first transaction. */
const FIRST_BATCH = 1_000;
/** The limits of later ones, so that each statement takes well below its time limit. */
const MAX_BATCH = 2_000;
const MAX_BATCH_CHARACTERS = 1_000_000;

export const indexSearchJob = defineJob('tickets.index-search', z.object({}));

/**
 * Indexes the pending texts of all firms that have enough of them, except firms whose texts another process indexes. Texts that were
 * folded by an earlier version are folded again.
 */
export async function indexSearch(services: Services, signal?: AbortSignal): Promise<void> {
  const old = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
     select workspace_id from search_progress where folding < $1 and ${isAmong('workspace_id')}`,
    values: [FOLDING],
  });
  for (const { workspace_id } of old) {
    await markOldTexts(services, workspace_id, signal);
    if (!signal?.aborted) await indexFirm(services, workspace_id, { signal });
  }
  const rows = await services.firmServers.readAll<{ workspace_id: number }>({
    text: (isAmong) => `${allFirms('search')}
     select workspace_id from (
       select workspace_id from tickets where search_pending and ${isAmong('workspace_id')}
       union all
       select workspace_id from ticket_messages where search_pending and ${isAmong('workspace_id')}) as pending
     group by workspace_id having count(*) >= $1`,
    values: [MIN_PENDING],
  });
  for (const { workspace_id } of rows) {
    if (!signal?.aborted) await indexFirm(services, workspace_id, { signal });
  }
}

/** Returns how many texts of a firm are pending. */
export async function countPendingTexts({ pool }: Services, workspaceId: number): Promise<number> {
  const { rows } = await pool.query<{ texts: number }>(
    `select ((select count(*) from tickets where workspace_id = $1 and search_pending)
       + (select count(*) from ticket_messages where workspace_id = $1 and search_pending))::integer as texts`,
    [workspaceId],
  );
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
export async function indexFirm(
  services: Services,
  workspaceId: number,
  { waits = false, signal, onProgress }: IndexOptions = {},
): Promise<number> {
  await services.pool.query(
    'insert into search_progress (workspace_id, folding) values ($1, $2) on conflict do nothing',
    [workspaceId, FOLDING],
  );
  let indexed = 0;
  for (const indexBatch of [indexTickets, indexMessages]) {
    // Each batch continues where the last one ended. The index still has entries of the rows before, which are done.
    let from = '';
    let limit = FIRST_BATCH;
    for (;;) {
      if (signal?.aborted) return indexed;
      const batch = await withTransaction(services, async (ctx) => {
        const tickets = await lockProgress(ctx, workspaceId, waits);
        return tickets === null ? null : indexBatch(ctx, { workspaceId, tickets, from, limit });
      });
      if (batch === null) return indexed;
      indexed += batch.indexed;
      onProgress?.(indexed);
      if (batch.texts.length < limit || batch.indexed === 0) break;
      from = batch.texts.at(-1)!.ticket;
      const characters = batch.texts.reduce((sum, { text }) => sum + text.length, 0);
      const fitting = Math.floor((MAX_BATCH_CHARACTERS * batch.texts.length) / characters);
      limit = Math.max(1, Math.min(fitting, MAX_BATCH));
    }
  }
  return indexed;
}

/** Locks the firm's postings. Returns how many tickets are numbered; null if another process has the lock. */
async function lockProgress(
  ctx: OperationContext,
  workspaceId: number,
  waits: boolean,
): Promise<number | null> {
  const [row] = await run<{ tickets: number }>(
    ctx,
    `select tickets from search_progress where workspace_id = $1 for no key update ${waits ? '' : 'skip locked'}`,
    [workspaceId],
  );
  return row ? row.tickets : null;
}

interface BatchRequest {
  workspaceId: number;
  /** How many tickets are numbered. */
  tickets: number;
  /** The id of the first ticket. */
  from: string;
  limit: number;
}

interface PendingText {
  id: string;
  ticket: string;
  number: number;
  text: string;
  /** The text as it is folded now. */
  folded: string;
}

interface Batch {
  /** The texts that were read, by the ids of their tickets. */
  texts: readonly PendingText[];
  /** How many of them are no longer pending. */
  indexed: number;
}

/**
 * Numbers new tickets, and adds pending texts of tickets to the postings. The rows are written last, because writers wait for a ticket
 * that is being written. A number whose ticket a writer has locked is not used again.
 */
async function indexTickets(
  ctx: OperationContext,
  { workspaceId, tickets, from, limit }: BatchRequest,
): Promise<Batch> {
  const found = await run<Omit<PendingText, 'number' | 'folded'> & { number: number | null }>(
    ctx,
    `select id, id as ticket, search_number as number, search_text as text from tickets
     where workspace_id = $1 and search_pending and id >= $2 order by id limit $3`,
    [workspaceId, from, limit],
  );
  let next = tickets;
  const texts = found.map((row) => ({ ...row, number: row.number ?? next++, folded: refold(row.text) }));
  if (texts.length === 0) return { texts, indexed: 0 };
  await addPostings(ctx, workspaceId, ticketsByWord(texts));
  await run(ctx, 'update search_progress set tickets = $2 where workspace_id = $1', [workspaceId, next]);
  const written = await run(
    ctx,
    `with due as (
       select t.id, d.folded, d.number
       from unnest($2::text[], $3::text[], $4::text[], $5::integer[]) as d (id, text, folded, number)
       join tickets t on t.id = d.id
       where t.workspace_id = $1 and t.search_pending and t.search_text = d.text
       for no key update of t skip locked)
     update tickets t set search_pending = false, search_text = d.folded, search_number = d.number from due d
     where t.workspace_id = $1 and t.id = d.id returning 1`,
    [workspaceId, ...columnsOf(texts), texts.map(({ number }) => number)],
  );
  return { texts, indexed: written.length };
}

/** Adds pending texts of messages, whose tickets are numbered, to the postings. */
async function indexMessages(
  ctx: OperationContext,
  { workspaceId, from, limit }: BatchRequest,
): Promise<Batch> {
  const found = await run<Omit<PendingText, 'folded'>>(
    ctx,
    `select m.id, m.ticket_id as ticket, t.search_number as number, m.search_text as text
     from ticket_messages m join tickets t on t.workspace_id = $1 and t.id = m.ticket_id
     where m.workspace_id = $1 and m.search_pending and not m.streaming and m.ticket_id >= $2
       and t.search_number is not null
     order by m.ticket_id limit $3`,
    [workspaceId, from, limit],
  );
  const texts = found.map((row) => ({ ...row, folded: refold(row.text) }));
  if (texts.length === 0) return { texts, indexed: 0 };
  await addPostings(ctx, workspaceId, ticketsByWord(texts));
  // A text stays pending if it was changed meanwhile, or if a writer has locked it: that writer may be waiting for this
  // transaction.
  const written = await run(
    ctx,
    `with due as (
       select m.id, d.folded from unnest($2::text[], $3::text[], $4::text[]) as d (id, text, folded)
       join ticket_messages m on m.id = d.id
       where m.workspace_id = $1 and m.search_pending and m.search_text = d.text
       for no key update of m skip locked)
     update ticket_messages m set search_pending = false, search_text = d.folded from due d
     where m.workspace_id = $1 and m.id = d.id returning 1`,
    [workspaceId, ...columnsOf(texts)],
  );
  return { texts, indexed: written.length };
}

function columnsOf(texts: readonly PendingText[]): [ids: string[], texts: string[], folded: string[]] {
  return [texts.map(({ id }) => id), texts.map(({ text }) => text), texts.map(({ folded }) => folded)];
}

function ticketsByWord(texts: readonly PendingText[]): Map<string, number[]> {
  const tickets = new Map<string, number[]>();
  for (const { number, folded } of texts) {
    for (const word of distinctWords(folded)) {
      const found = tickets.get(word);
      if (!found) tickets.set(word, [number]);
      else if (found.at(-1) !== number) found.push(number);
    }
  }
  return tickets;
}
