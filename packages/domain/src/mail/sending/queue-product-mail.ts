import { randomUUID } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { MailAttachment, MailRecipient } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { newId } from '../../platform/process/ids.ts';
import { type FirmMailbox, firmMailbox } from '../mailboxes/firm-mailbox.ts';
import { snippetOf } from '../parsing/snippet.ts';
import { mailSearchText } from '../search/mail-search-text.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { enqueueSending } from './send-job.ts';

/** A mail that the product writes. */
export interface ProductMail {
  workspaceId: number;
  to: MailRecipient;
  subject: string;
  html: string;
  /** The id of what it is about, by which it can be stopped: that of a pre-registration, or of a message of a ticket. */
  about: string;
  /** It is not sent after this time. */
  sendUntil?: Date | null;
  /** Whether no person has written it, which its header says to other machines (RFC 3834). */
  isAutomatic: boolean;
  /** By default {@link firmMailbox}. */
  from?: FirmMailbox;
  /** The message that it answers, in the mailbox from which it is sent. */
  answers?: { id: string; threadId: number; messageId: string; references: readonly string[] };
  /** The ticket in which it is a reply. */
  ticket?: string;
  /** Stored files, which need not belong to the mail. */
  files?: readonly MailAttachment[];
}

/** Stores a mail that the product writes, in the transaction of what causes it, and requests to send it. Returns its id. */
export async function queueProductMail(ctx: OperationContext, mail: ProductMail): Promise<string> {
  const { db, now } = ctx;
  const { workspaceId, to, subject, html, answers, files = [] } = mail;
  const from = mail.from ?? (await firmMailbox(ctx, workspaceId));
  const at = now.toISOString();
  const id = newId('mailMessage', now);
  const messageId = `${randomUUID()}@${domainToASCII(from.email.slice(from.email.lastIndexOf('@') + 1))}`;
  const searchText = mailSearchText({
    from,
    recipients: [to],
    subject,
    body: html,
    files: files.map(({ name }) => name),
  });
  const threadId = answers?.threadId ?? (await newThread(ctx, workspaceId, from.id));
  const { rows } = await sql<{ alias: number }>`
    insert into mail_messages (workspace_id, id, mailbox_id, thread_id, folder, from_email, from_name, to_recipients, cc_recipients,
      bcc_recipients, subject, body, snippet, search_text, is_read, answers_id, message_at, internet_message_id, in_reply_to, reference_ids,
      attachments, created_at, about_ticket)
    values (${workspaceId}, ${id}, ${from.id}, ${threadId}, 'sent', ${from.email}, ${from.name}, ${JSON.stringify([to])}, '[]',
      '[]', ${subject}, ${html}, ${snippetOf(html)}, ${searchText}, true, ${answers?.id ?? null}, ${at}, ${messageId},
      ${answers?.messageId ?? null}, ${[...(answers?.references ?? [])]}::text[], ${JSON.stringify(files)}, ${at}, ${mail.ticket ?? null})
    returning alias`.execute(db);
  await sql`
    insert into outgoing_messages (workspace_id, id, message_id, alias, send_at, about, send_until, is_automatic)
    values (${workspaceId}, ${id}, ${id}, ${rows[0]!.alias}, ${at}, ${mail.about}, ${mail.sendUntil?.toISOString() ?? null}, ${mail.isAutomatic})`.execute(
    db,
  );
  await sql`
    insert into outgoing_recipients (workspace_id, message_id, position, email)
    values (${workspaceId}, ${id}, 1, ${to.email})`.execute(db);
  await enqueueSending(ctx, { workspace: workspaceId, message: id, send_at: at, attempt: 0 }, 0);
  await publishMail(ctx, workspaceId, [from.id]);
  return id;
}

/** Stops the mails about something that wait to be sent. */
export async function stopProductMail(
  { db }: OperationContext,
  workspaceId: number,
  about: string,
  reason: string,
): Promise<void> {
  await sql`
    update outgoing_recipients set state = 'not_sent', detail = ${reason}
    where workspace_id = ${workspaceId} and state = 'queued' and message_id in (
      select id from outgoing_messages where workspace_id = ${workspaceId} and about = ${about})`.execute(db);
}

async function newThread(
  { db, now }: OperationContext,
  workspaceId: number,
  mailboxId: number,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into mail_threads (workspace_id, mailbox_id, created_at) values (${workspaceId}, ${mailboxId}, ${now.toISOString()})
    returning id`.execute(db);
  return rows[0]!.id;
}
