import type { TicketMessage } from '@firmdesk/contract';
import { sql } from 'kysely';
import { queueProductMail } from '../mail/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { renderTemplate } from '../templates/index.ts';
import { addInternalMessage, lockTicket, type TicketState } from '../tickets/index.ts';

interface LatestMail {
  id: string;
  mailbox_id: number;
  thread_id: number;
  internet_message_id: string;
  reference_ids: string[];
  /** The support address, and the name of the firm. */
  address: string;
  firm: string;
  language: string;
}

/** How many messages the header `References` names: the first one and the nearest ones. */
const MAX_REFERENCES = 50;

/** Sends a reply to the trader by mail, as an answer to the latest mail of the ticket. */
export async function sendTicketReply(
  ctx: OperationContext,
  ticket: TicketState,
  message: TicketMessage,
): Promise<void> {
  if (!ticket.is_by_mail || ticket.trader_deleted) return;
  const { workspace_id: workspaceId } = ticket;
  const mail = await findLatest(ctx, ticket);
  if (!mail) return;
  const { subject, html } = await renderTemplate(ctx, 'ticket_reply', { id: workspaceId }, mail.language, {
    firm_name: mail.firm,
    ticket_number: `#${ticket.number}`,
    ticket_subject: ticket.subject,
    author: message.author,
    message: message.body,
  });
  const references = [...new Set([...mail.reference_ids, mail.internet_message_id])];
  await queueProductMail(ctx, {
    workspaceId,
    from: { id: mail.mailbox_id, email: mail.address, name: mail.firm },
    to: { email: ticket.trader_email, name: ticket.trader_name },
    subject,
    html,
    about: message.id,
    ticket: ticket.id,
    isAutomatic: message.from !== 'admin',
    answers: {
      id: mail.id,
      threadId: mail.thread_id,
      messageId: mail.internet_message_id,
      references:
        references.length <= MAX_REFERENCES
          ? references
          : [references[0]!, ...references.slice(1 - MAX_REFERENCES)],
    },
    files: message.attachments
      .filter(({ deleted }) => !deleted)
      .map((file) => ({ ...file, content_id: null })),
  });
}

async function findLatest({ db }: OperationContext, ticket: TicketState): Promise<LatestMail | undefined> {
  const { rows } = await sql<LatestMail>`
    select m.id, m.mailbox_id, m.thread_id, m.internet_message_id, m.reference_ids, w.name as firm, u.language,
      coalesce((
        select min(a.address) from mailbox_addresses a
        where a.workspace_id = ${ticket.workspace_id} and a.mailbox_id = m.mailbox_id and a.tickets is not null), b.email) as address
    from mail_messages m join mailboxes b on b.workspace_id = ${ticket.workspace_id} and b.id = m.mailbox_id
    join workspaces w on w.id = m.workspace_id join users u on u.id = ${ticket.trader_id}
    where m.workspace_id = ${ticket.workspace_id} and m.about_ticket = ${ticket.id} and m.folder <> 'sent'
      and m.internet_message_id is not null
    order by m.created_at desc, m.id desc limit 1`.execute(db);
  return rows[0];
}

/** Adds a note to the ticket of a reply that did not reach the trader by mail. Other mail has none. */
export async function noteUndelivered(
  ctx: OperationContext,
  workspaceId: number,
  mail: string,
  lines: string,
): Promise<void> {
  const { rows } = await sql<{ ticket_id: string | null }>`
    select t.id as ticket_id from mail_messages m join tickets t on t.workspace_id = ${workspaceId} and t.id = m.about_ticket
    where m.workspace_id = ${workspaceId} and m.id = ${mail}`.execute(ctx.db);
  if (!rows[0]?.ticket_id) return;
  const ticket = await lockTicket(ctx, workspaceId, rows[0].ticket_id);
  await addInternalMessage(ctx, ticket, {
    from: 'system',
    authorId: null,
    author: 'Firmdesk',
    body: `A reply did not reach the trader by mail.\n${lines}`,
    event: 'mail_not_delivered',
  });
}

/** Makes the mails of a ticket those of another one. */
export async function moveTicketMails(
  { db }: OperationContext,
  workspaceId: number,
  from: string,
  into: string,
): Promise<void> {
  await sql`
    update mail_messages set about_ticket = ${into} where workspace_id = ${workspaceId} and about_ticket = ${from}`.execute(
    db,
  );
}
