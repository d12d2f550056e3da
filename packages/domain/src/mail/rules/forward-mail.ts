import type { LeftOutFiles, MailRecipient, SenderCheck } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import { readMailFiles } from '../files/read-files.ts';
import { writableMailbox } from '../mailboxes/mailbox-access.ts';
import { findAddress } from '../mailboxes/mailbox-directory.ts';
import { deliverPrepared } from '../receiving/deliver-mail.ts';
import { prepareParsed } from '../receiving/prepare-delivery.ts';
import type { ForwardMail } from './forward-job.ts';

interface MessageRow {
  from_email: string;
  from_name: string | null;
  to_recipients: MailRecipient[];
  cc_recipients: MailRecipient[];
  reply_to: MailRecipient[];
  subject: string;
  body: string;
  snippet: string;
  search_text: string;
  date: string;
  internet_message_id: string;
  content_digest: string;
  in_reply_to: string | null;
  reference_ids: string[];
  left_out: LeftOutFiles[];
  sender_check: SenderCheck | null;
}

/**
 * Handles `forwardMailJob`: delivers a copy of the message, as it came, so that an answer goes to its sender. A mailbox that has the message gets no second
 * one. Nothing is forwarded once the account may no longer write from the first mailbox, or the address is not of the firm or opens tickets.
 */
export async function forwardMail(services: Services, job: ForwardMail): Promise<void> {
  const ctx = newContext(services);
  const { workspace, mailbox: from, to, user } = job;
  const author = { ...ctx, identity: { user: { id: user } }, workspace: { id: workspace } };
  const row = (await writableMailbox(author, from).executeTakeFirst()) && (await findMessage(ctx, job));
  const target = row && (await findAddress(ctx.db, to));
  if (!row || target?.mailbox.workspaceId !== workspace || target.ticketsOf !== null) return;
  const prepared = await prepareParsed(ctx, {
    mailbox: target.mailbox,
    returned: null,
    ticketsOf: null,
    folder: 'inbox',
    senderCheck: row.sender_check,
    mail: {
      from: { email: row.from_email, name: row.from_name },
      sender: null,
      to: row.to_recipients,
      cc: row.cc_recipients,
      bcc: [],
      replyTo: row.reply_to,
      subject: row.subject,
      body: row.body,
      snippet: row.snippet,
      searchText: row.search_text,
      date: row.date,
      messageId: row.internet_message_id,
      contentDigest: row.content_digest,
      inReplyTo: row.in_reply_to,
      references: row.reference_ids,
      calendarParts: [],
      files: await readMailFiles(ctx, workspace, job.message),
      leftOut: row.left_out,
      // No program answers a copy, and no rule forwards it again.
      isAutomatic: true,
      isAutoSubmitted: true,
      suppressesAnswers: true,
      report: null,
    },
  });
  try {
    await withTransaction(services, (inside) => deliverPrepared(inside, prepared));
  } catch (error) {
    // The mailbox was deleted meanwhile.
    if (!(error instanceof ApiError) || error.apiCode !== 'resource_not_found') throw error;
  }
}

async function findMessage(
  { db }: OperationContext,
  { workspace, mailbox, message }: ForwardMail,
): Promise<MessageRow | undefined> {
  const { rows } = await sql<MessageRow>`
    select m.from_email, m.from_name, m.to_recipients, m.cc_recipients, m.reply_to, m.subject, m.body, m.snippet, m.search_text,
      to_char(m.message_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as date, m.internet_message_id, m.content_digest, m.in_reply_to,
      m.reference_ids, m.left_out, m.sender_check
    from mail_messages m where m.workspace_id = ${workspace} and m.mailbox_id = ${mailbox} and m.id = ${message}`.execute(
    db,
  );
  return rows[0];
}
