import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { run } from '../../platform/search/add-postings.ts';
import {
  addTexts,
  columnsOf,
  type IndexOptions,
  indexAllFirms,
  indexFirmTexts,
  recordTable,
} from '../../platform/search/index-texts.ts';
import type { Batch, BatchRequest, IndexedTexts, PendingText } from '../../platform/search/indexed-texts.ts';
import type { Services } from '../../platform/services.ts';
import { refold } from './search-text.ts';
import { ticketIndex } from './ticket-index.ts';

export const indexSearchJob = defineJob('tickets.index-search', z.object({}));

/** The texts of tickets and of their messages. */
export const ticketTexts: IndexedTexts = {
  index: ticketIndex,
  tables: [
    recordTable(ticketIndex, 'tickets', refold),
    { name: 'ticket_messages', indexBatch: indexMessages },
  ],
};

/** Indexes the pending texts of the tickets of all firms. */
export function indexSearch(services: Services, signal?: AbortSignal): Promise<void> {
  return indexAllFirms(services, ticketTexts, signal);
}

/** Indexes the pending texts of a firm's tickets. */
export function indexFirm(services: Services, workspaceId: number, options?: IndexOptions): Promise<number> {
  return indexFirmTexts(services, ticketTexts, workspaceId, options);
}

/** Adds pending texts of messages, whose tickets are numbered, to the postings. */
async function indexMessages(
  ctx: OperationContext,
  { workspaceId, from, limit }: BatchRequest,
): Promise<Batch> {
  const found = await run<Omit<PendingText, 'folded'>>(
    ctx,
    `select m.id, m.ticket_id as record, t.search_number as number, m.search_text as text
     from ticket_messages m join tickets t on t.workspace_id = $1 and t.id = m.ticket_id
     where m.workspace_id = $1 and m.search_pending and not m.streaming and m.ticket_id >= $2
       and t.search_number is not null
     order by m.ticket_id limit $3`,
    [workspaceId, from, limit],
  );
  const texts = found.map((row) => ({ ...row, folded: refold(row.text) }));
  if (texts.length === 0) return { texts, indexed: 0 };
  await addTexts(ctx, ticketIndex, workspaceId, texts);
  // A text stays pending if it was changed meanwhile, or if a writer has locked it: that writer may be waiting for this
  // transaction. The ids are named, because the planner takes the rows of a firm that is new for few.
  const written = await run(
    ctx,
    `with due as (
       select m.id, d.folded from unnest($2::text[], $3::text[], $4::text[]) as d (id, text, folded)
       join ticket_messages m on m.id = d.id
       where m.workspace_id = $1 and m.id = any($2::text[]) and m.search_pending and m.search_text = d.text
       for no key update of m skip locked)
     update ticket_messages m set search_pending = false, search_text = d.folded from due d
     where m.workspace_id = $1 and m.id = any($2::text[]) and m.id = d.id returning 1`,
    [workspaceId, ...columnsOf(texts)],
  );
  return { texts, indexed: written.length };
}
