import type { ListSkippedTicketsInput, SkippedTicket, SkippedTicketPage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountContext } from '../../procedures/call-context.ts';
import { readBulkChange } from './bulk-change.ts';

/** Returns a page of the tickets that a bulk change of the caller has left as they were, with the reasons. Throws `resource_not_found`. */
export async function listSkippedTickets(
  ctx: AccountContext,
  { id, limit, starting_after }: z.infer<typeof ListSkippedTicketsInput>,
): Promise<z.infer<typeof SkippedTicketPage>> {
  const { db, workspace } = ctx;
  await readBulkChange(ctx, id);
  const [position, place] = (starting_after ?? '0.0').split('.').map(Number);
  const { rows } = await sql<SkippedTicket & { cursor: string }>`
    select s.pair->>0 as id, '#' || t.number as number, t.subject, s.pair->>1 as reason, s.position || '.' || s.place as cursor
    from (
      select b.position, p.pair, p.place from bulk_change_batches b
      cross join lateral jsonb_array_elements(b.skipped) with ordinality as p (pair, place)
      where b.workspace_id = ${workspace.id} and b.bulk_change_id = ${id}
        and (b.position, p.place) > (${position}::integer, ${place}::bigint)
      order by b.position, p.place limit ${limit + 1}) s
    left join tickets t on t.workspace_id = ${workspace.id} and t.id = s.pair->>0
    order by s.position, s.place`.execute(db);
  const page = rows.slice(0, limit);
  const hasMore = rows.length > limit;
  return {
    data: page.map(({ cursor: _, ...row }) => row),
    meta: { has_more: hasMore, next_cursor: hasMore ? page.at(-1)!.cursor : null },
  };
}
