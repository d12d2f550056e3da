import { hash } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { z } from 'zod';
import { allFirms } from '../platform/all-firms.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { defineJob } from '../platform/jobs.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { decodePostings, encodePostings } from './search-postings.ts';
import { distinctWords } from './search-text.ts';

/*
 * Adds the texts that writers left pending to the postings of their words (docs/decisions/0030). One process at a time does so
 * for a firm, so no writer of tickets waits for another one because of search.
 */

/** A firm with fewer pending texts is left as it is: a search reads them in well below a millisecond. */
const MIN_PENDING = 100;
/** The number of texts per transaction. */
const BATCH = 1_000;
/** A list of postings in a word's row is moved to `search_postings` when it exceeds this size. */
export const MAX_TAIL_BYTES = 512;

export const indexSearchJob = defineJob('tickets.index-search', z.object({}));

/** Indexes the pending texts of all firms that have enough of them. */
export async function indexSearch(services: Services, signal?: AbortSignal): Promise<void> {
  const { rows } = await queryPool<{ workspace_id: number }>(
    services.pool,
    `${allFirms('search')}
     select workspace_id from (
       select workspace_id from tickets where search_pending
       union all select workspace_id from ticket_messages where search_pending) as pending
     group by workspace_id having count(*) >= $1`,
    [MIN_PENDING],
  );
  for (const { workspace_id } of rows) await indexFirm(services, workspace_id, signal);
}

/** Indexes the pending texts of a firm, except those that a concurrent transaction has locked. */
export async function indexFirm(
  services: Services,
  workspaceId: number,
  signal?: AbortSignal,
): Promise<void> {
  await queryPool(
    services.pool,
    'insert into search_progress (workspace_id) values ($1) on conflict do nothing',
    [workspaceId],
  );
  const inTransaction = (step: (ctx: OperationContext, tickets: number) => Promise<number>) =>
    withTransaction(services, async (ctx) => {
      const tickets = await lockProgress(ctx, workspaceId);
      return tickets === null ? 0 : step(ctx, tickets);
    });
  let count: number;
  do {
    await inTransaction((ctx, tickets) => numberTickets(ctx, workspaceId, tickets));
    count = await inTransaction((ctx) => indexTexts(ctx, workspaceId));
  } while (count >= BATCH && !signal?.aborted);
}

async function run<Row>({ em }: OperationContext, text: string, values: readonly unknown[]): Promise<Row[]> {
  const { rows } = await sqlOf(em).executeQuery(CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>);
  return rows;
}

/** Locks the firm's postings. Returns how many tickets are numbered; null if another process has the lock. */
async function lockProgress(ctx: OperationContext, workspaceId: number): Promise<number | null> {
  const [row] = await run<{ tickets: number }>(
    ctx,
    'select tickets from search_progress where workspace_id = $1 for no key update skip locked',
    [workspaceId],
  );
  return row ? row.tickets : null;
}

/** Numbers new tickets. In a transaction of its own, because writers wait for a ticket that is being numbered. */
async function numberTickets(ctx: OperationContext, workspaceId: number, tickets: number): Promise<number> {
  const numbered = await run(
    ctx,
    `with due as (
       select id from tickets where workspace_id = $1 and search_pending and search_number is null
       order by id limit $2 for no key update skip locked),
     numbered as (select id, $3::integer - 1 + row_number() over (order by id) as number from due)
     update tickets t set search_number = n.number from numbered n
     where t.workspace_id = $1 and t.id = n.id returning 1`,
    [workspaceId, BATCH, tickets],
  );
  if (numbered.length > 0) {
    await run(ctx, 'update search_progress set tickets = tickets + $2 where workspace_id = $1', [
      workspaceId,
      numbered.length,
    ]);
  }
  return numbered.length;
}

interface PendingText {
  table: 'tickets' | 'ticket_messages';
  id: string;
  number: number;
  text: string;
}

/** Adds pending texts to the postings. Returns how many are no longer pending. */
async function indexTexts(ctx: OperationContext, workspaceId: number): Promise<number> {
  const texts = await run<PendingText>(
    ctx,
    `(select 'tickets' as table, id, search_number as number, search_text as text from tickets
      where workspace_id = $1 and search_pending and search_number is not null order by id limit $2)
     union all
     (select 'ticket_messages', m.id, t.search_number, m.search_text
      from ticket_messages m join tickets t on t.workspace_id = $1 and t.id = m.ticket_id
      where m.workspace_id = $1 and m.search_pending and not m.streaming and t.search_number is not null
      order by m.ticket_id limit $2)`,
    [workspaceId, BATCH],
  );
  if (texts.length === 0) return 0;
  await addPostings(ctx, workspaceId, ticketsByWord(texts));
  let count = 0;
  for (const table of ['tickets', 'ticket_messages'] as const) {
    const done = texts.filter((text) => text.table === table);
    // A text that has been changed meanwhile stays pending, and so does one that a writer has locked: the writer may wait for us.
    const cleared = await run(
      ctx,
      `with due as (
         select t.id from unnest($2::text[], $3::text[]) as d (id, text) join ${table} t on t.id = d.id
         where t.workspace_id = $1 and t.search_pending and t.search_text = d.text
         for no key update of t skip locked)
       update ${table} t set search_pending = false from due d
       where t.workspace_id = $1 and t.id = d.id returning 1`,
      [workspaceId, done.map(({ id }) => id), done.map(({ text }) => text)],
    );
    count += cleared.length;
  }
  return count;
}

function ticketsByWord(texts: readonly PendingText[]): Map<string, Set<number>> {
  const tickets = new Map<string, Set<number>>();
  for (const { number, text } of texts) {
    for (const word of distinctWords(text)) {
      const found = tickets.get(word);
      if (found) found.add(number);
      else tickets.set(word, new Set([number]));
    }
  }
  return tickets;
}

interface WordRow {
  key: string;
  postings: number;
  tail: Buffer;
  segments: number;
}

async function addPostings(
  ctx: OperationContext,
  workspaceId: number,
  ticketsOf: ReadonlyMap<string, ReadonlySet<number>>,
): Promise<void> {
  const wordOf = new Map([...ticketsOf.keys()].map((word) => [wordKey(word), word]));
  const found = await run<WordRow>(
    ctx,
    'select key::text, postings, tail, segments from search_words where workspace_id = $1 and key = any($2::bigint[])',
    [workspaceId, [...wordOf.keys()]],
  );
  const rows = new Map(found.map((row) => [row.key, row]));
  const full: { key: string; segment: number; tickets: Buffer }[] = [];
  for (const [key, word] of wordOf) {
    const row = rows.get(key) ?? { key, postings: 0, tail: Buffer.alloc(0), segments: 0 };
    const before = decodePostings(row.tail);
    const numbers = [...new Set([...before, ...ticketsOf.get(word)!])].sort((a, b) => a - b);
    row.postings += numbers.length - before.length;
    row.tail = encodePostings(numbers);
    if (row.tail.length > MAX_TAIL_BYTES) {
      full.push({ key, segment: row.segments, tickets: row.tail });
      row.segments++;
      row.tail = Buffer.alloc(0);
    }
    rows.set(key, row);
  }
  const words = [...rows.values()];
  await run(
    ctx,
    `insert into search_words as w (workspace_id, key, word, postings, tail, segments)
     select $1, * from unnest($2::bigint[], $3::text[], $4::integer[], $5::bytea[], $6::integer[])
     on conflict (workspace_id, key) do update set postings = excluded.postings, tail = excluded.tail,
       segments = excluded.segments, unused_since = null`,
    [
      workspaceId,
      words.map(({ key }) => key),
      words.map(({ key }) => wordOf.get(key)),
      words.map(({ postings }) => postings),
      words.map(({ tail }) => tail),
      words.map(({ segments }) => segments),
    ],
  );
  if (full.length === 0) return;
  await run(
    ctx,
    `insert into search_postings (workspace_id, key, segment, tickets)
     select $1, * from unnest($2::bigint[], $3::integer[], $4::bytea[])`,
    [
      workspaceId,
      full.map(({ key }) => key),
      full.map(({ segment }) => segment),
      full.map(({ tickets }) => tickets),
    ],
  );
}

/** Returns the key of a word in its firm's dictionary: 64 bits of a hash, as PostgreSQL's `bigint`. */
export function wordKey(word: string): string {
  return hash('sha256', word, 'buffer').readBigInt64BE().toString();
}
