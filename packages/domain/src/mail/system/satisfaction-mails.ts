import { sql } from 'kysely';
import { createRatingLink } from '../../access/rating-link.ts';
import { newContext } from '../../platform/database/transaction.ts';
import type { Services } from '../../platform/services.ts';
import { renderTemplate } from '../../templates/index.ts';
import { systemAddress } from './system-address.ts';
import type { SatisfactionContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

interface Row {
  number: string;
  subject: string;
  email: string;
  name: string;
  language: string;
  firm: string;
}

/** Writes the mail that asks a trader to rate the answer to a ticket. Its link is made with each attempt and is in no row. */
export async function writeSatisfaction(
  services: Services,
  workspaceId: number,
  { userId, content: { ticket_id } }: { userId: string; content: SatisfactionContent },
): Promise<WrittenMail> {
  const ctx = newContext(services);
  const { rows } = await sql<Row>`
    select t.number, t.subject, u.email, u.name, coalesce(p.language, u.language) as language, w.name as firm
    from tickets t join workspaces w on w.id = t.workspace_id
    join users u on u.id = t.trader_id and u.deleted_at is null
    left join trader_profiles p on p.workspace_id = ${workspaceId} and p.user_id = u.id
    where t.workspace_id = ${workspaceId} and t.id = ${ticket_id} and t.trader_id = ${userId} and t.status in ('resolved', 'closed')
      and not exists (
        select from ticket_ratings r where r.workspace_id = ${workspaceId} and r.ticket_id = t.id and r.score is not null)`.execute(
    ctx.db,
  );
  const [ticket] = rows;
  if (!ticket) return { reason: 'The ticket is open again, has gone, or was rated.' };
  const written = await renderTemplate(ctx, 'satisfaction', { id: workspaceId }, ticket.language, {
    firm_name: ticket.firm,
    ticket_number: `#${ticket.number}`,
    ticket_subject: ticket.subject,
    rating_url: await createRatingLink(services, { workspaceId, ticketId: ticket_id }),
  });
  return {
    message: {
      ...written,
      from: { name: ticket.firm, address: systemAddress(services) },
      to: { name: ticket.name, address: ticket.email },
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
    returnPath: '',
  };
}
