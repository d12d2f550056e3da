import type { PreviewTicketsInput, TicketPreviews } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AccountContext } from '../../procedures/call-context.ts';

const PREVIEW_LENGTH = 160;

/** Returns the beginnings of the latest messages of tickets that their traders see. Tickets of another firm have none. */
export async function previewTickets(
  { db, workspace }: AccountContext,
  { tickets }: z.infer<typeof PreviewTicketsInput>,
): Promise<TicketPreviews> {
  const { rows } = await sql<TicketPreviews['data'][number]>`
    select t.id as ticket_id, m.text
    from unnest(${tickets}::text[]) t(id)
    cross join lateral (
      select left(regexp_replace(left(body, ${PREVIEW_LENGTH * 2}::int), '\\s+', ' ', 'g'), ${PREVIEW_LENGTH}::int) as text
      from ticket_messages
      where workspace_id = ${workspace.id} and ticket_id = t.id and not internal and not streaming
      order by created_at desc, id desc
      limit 1) m`.execute(db);
  return { object: 'ticket_previews', data: rows };
}
