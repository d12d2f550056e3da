import type { MailRecipient, MailTicketOpened, SenderCheck } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { readMailFiles } from '../files/read-files.ts';
import { readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { prepareTicketContent, type TicketContent } from '../receiving/ticket-content.ts';
import { publishMail } from '../streams/publish-mail.ts';

interface MessageRow {
  mailbox_id: number;
  from: MailRecipient;
  subject: string;
  body: string;
  reference_ids: string[];
  sender_check: SenderCheck | null;
  /** The ticket that it belongs to already. */
  ticket: { id: string; number: string } | null;
}

/** Reads what the ticket gets of a message, and stores its files for it. Null: it has a ticket. Throws `resource_not_found`, `unavailable`. */
export async function prepareTicketOfMail(
  ctx: AccountContext,
  { id }: { id: string },
): Promise<TicketContent | null> {
  const message = await findReceived(ctx, id);
  if (message.ticket) return null;
  const files = await readMailFiles(ctx, ctx.workspace.id, id);
  return prepareTicketContent(ctx, ctx.workspace.id, { body: message.body, files });
}

/**
 * Opens a ticket of the sender of a received message, without the assistant, or returns the one that was opened. Throws `resource_not_found` (message), `validation_failed` if the
 * sender is no member of the firm, and mail of strangers does not open tickets.
 */
export async function openTicketOfMail(
  ctx: AccountContext & { prepared: TicketContent | null },
  { id }: { id: string },
): Promise<MailTicketOpened> {
  const { db, workspace, services, prepared } = ctx;
  await sql`
    select from mail_messages where workspace_id = ${workspace.id} and id = ${id} for no key update`.execute(
    db,
  );
  const message = await findReceived(ctx, id);
  if (message.ticket) return opened(message.ticket, false);
  // The ticket that it had was deleted meanwhile.
  if (!prepared) throw new ApiError('unavailable');
  const { mailbox_id: mailboxId, from, subject, reference_ids: references, sender_check: check } = message;
  const ticket = await services.ticketInbox.open(ctx, {
    ...prepared,
    mailbox: { workspaceId: workspace.id, mailboxId },
    from,
    subject,
    references,
    senders: await sendersOf(ctx),
    isTrusted: check === null || check.status === 'verified',
  });
  if (!ticket) throw invalidField('id', 'must be a message from a trader of the firm');
  await sql`
    update mail_messages set about_ticket = ${ticket.id} where workspace_id = ${workspace.id} and id = ${id}`.execute(
    db,
  );
  await publishMail(ctx, workspace.id, [mailboxId]);
  return opened(ticket, true);
}

function opened(ticket: { id: string; number: string }, isNew: boolean): MailTicketOpened {
  return { object: 'mail_ticket', ticket, opened: isNew };
}

/** Finds a message that was received in a mailbox which the caller may read. */
async function findReceived(ctx: AccountContext, id: string): Promise<MessageRow> {
  const { db, workspace } = ctx;
  const { rows } = await sql<MessageRow>`
    select m.mailbox_id, jsonb_build_object('email', m.from_email, 'name', m.from_name) as "from", m.subject, m.body, m.reference_ids,
      m.sender_check, ${ticketOf(workspace.id)} as ticket
    from mail_messages m
    where m.workspace_id = ${workspace.id} and m.id = ${id} and m.folder not in ('drafts', 'sent')
      and coalesce(m.previous_folder, '') not in ('drafts', 'sent')
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return rows[0];
}

/** The ticket of message `m`, as the contract has it. */
export function ticketOf(workspaceId: number) {
  return sql<MessageRow['ticket']>`(
    select jsonb_build_object('id', t.id, 'number', '#' || t.number) from tickets t
    where t.workspace_id = ${workspaceId} and t.id = m.about_ticket)`;
}

/** Returns whose mail opens tickets in the firm: that of everyone if an address takes it. */
async function sendersOf({ db, workspace }: AccountContext): Promise<'members' | 'anyone'> {
  const { rows } = await sql`
    select from mailbox_addresses where workspace_id = ${workspace.id} and tickets = 'anyone' limit 1`.execute(
    db,
  );
  return rows.length > 0 ? 'anyone' : 'members';
}
