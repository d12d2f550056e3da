import type { Folder, MailAttachment, MailDelivery } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import { MAILBOX_READERS } from '../../access/policy.ts';
import { scanReceivedFiles } from '../../attachments/index.ts';
import { applyInvitations } from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { executeWrites } from '../../platform/database/execute-writes.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import { mailPushWrite } from '../../push/index.ts';
import { fileClaim } from '../files/mail-attachments.ts';
import type { Absence, StoredRule } from '../mail.entity.ts';
import type { MailboxRef } from '../mailboxes/mailbox-directory.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { runRules } from '../rules/mail-rule.ts';
import { recordReport } from '../sending/reports/record-report.ts';
import { mailChangedWrite } from '../streams/publish-mail.ts';
import { answerAbsence } from '../system/absence-answers.ts';
import { snoozeEnd } from '../threads/snooze-threads.ts';
import { findMailThread } from './find-mail-thread.ts';
import { type DeliverMail, findInvitee, type PreparedDelivery, prepareDelivery } from './prepare-delivery.ts';

/** What of a mailbox decides what becomes of its mail. */
interface MailboxSettings {
  rules: StoredRule[];
  absence: Absence | null;
}

/** A message as it is stored. */
interface NewMessage extends Pick<PreparedDelivery, 'mailbox' | 'mail' | 'senderCheck'> {
  id: string;
  thread_id: number;
  folder: Folder;
  isRead: boolean;
  attachments: MailAttachment[];
  /** The ticket to which it was added. */
  ticket: string | null;
}

/** Parses and stores a message, for callers outside of a procedure. Throws what {@link prepareDelivery} throws. */
export async function deliverMail(services: Services, input: DeliverMail): Promise<MailDelivery> {
  const prepared = await prepareDelivery(newContext(services), input);
  return withTransaction(services, (ctx) => deliverPrepared(ctx, prepared));
}

/**
 * Stores a message in a mailbox and assigns it to a conversation. If the mailbox already has the message, which means one with its
 * `Message-ID` and its content, returns that one, so that retries are safe. A calendar part that changes no calendar is a file. Throws `resource_not_found` if the mailbox has been deleted.
 */
export async function deliverPrepared(
  ctx: OperationContext,
  prepared: PreparedDelivery,
): Promise<MailDelivery> {
  const { mailbox, mail, reported } = prepared;
  if (reported) return recordReport(ctx, reported.message, reported.report);
  const settings = await lockMailbox(ctx, mailbox);
  const found = await findMailThread(ctx, mailbox, mail);
  const isNew = found === null || found.id === null;
  const { id, thread_id } = isNew
    ? await storeMessage(ctx, prepared, settings, found?.thread_id ?? null)
    : { ...found, id: found.id! };
  return {
    object: 'mail_delivery',
    status: isNew ? 'delivered' : 'already_delivered',
    id,
    thread_id,
    address_id: mailbox.mailboxId,
    left_out: isNew ? mail.leftOut : [],
  };
}

/** Serializes deliveries to one mailbox, so that concurrent duplicates and replies find each other's message and conversation. */
async function lockMailbox(
  { db }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
): Promise<MailboxSettings> {
  const { rows } = await sql<MailboxSettings>`
    select rules, absence from mailboxes where workspace_id = ${workspaceId} and id = ${mailboxId} for no key update`.execute(
    db,
  );
  if (!rows[0]) throw new ApiError('resource_not_found');
  return rows[0];
}

async function storeMessage(
  ctx: OperationContext,
  prepared: PreparedDelivery,
  { rules, absence }: MailboxSettings,
  thread: number | null,
): Promise<{ id: string; thread_id: number }> {
  const { mailbox, mail, files, invitations, senderCheck } = prepared;
  const { workspaceId, mailboxId } = mailbox;
  const applied = invitations ? await addInvitations(ctx, mailbox, invitations) : new Set<number | null>();
  const attachments = files
    .filter(({ calendarPart }) => calendarPart === null || !applied.has(calendarPart))
    .map(({ attachment }) => attachment);
  const { searchText, isAutoSubmitted } = mail;
  const outcome = runRules(prepared.folder === 'inbox' ? rules : [], {
    searchText,
    hasFiles: attachments.length > 0,
  });
  const folder = outcome.folder ?? prepared.folder;
  const ticket = await addToTicket(ctx, prepared);
  const id = newId('mailMessage', ctx.now);
  const thread_id = thread ?? (await startThread(ctx, mailbox));
  const isRead = outcome.isRead || ticket !== null;
  const message = {
    ...{ mailbox, mail, senderCheck, id, thread_id, isRead, attachments, ticket },
    folder: ticket === null ? folder : ('archive' as const),
  };
  await executeWrites(ctx.db, [
    messageWrite(ctx, message),
    ...(thread !== null && folder === 'inbox' ? [snoozeEnd(workspaceId, thread)] : []),
    ...(attachments.length > 0 ? [fileClaim(workspaceId, id, attachments)] : []),
    mailChangedWrite(ctx, workspaceId, [mailboxId]),
    ...(folder === 'inbox' && !isRead ? [mailPushWrite(ctx, workspaceId, id)] : []),
  ]);
  // The answer to a forged sender would go to somebody who has not written.
  if (
    prepared.folder === 'inbox' &&
    (folder === 'inbox' || folder === 'archive') &&
    senderCheck?.status !== 'failed'
  )
    await answerAbsence(ctx, mailbox, absence, mail);
  await applyRules(ctx, mailbox, message, isAutoSubmitted ? { ...outcome, forwards: [] } : outcome);
  await scanReceivedFiles(ctx, workspaceId, attachments);
  return { id, thread_id };
}

/**
 * Opens a ticket for a message, or adds it to the one that it continues. Returns the ticket: then the message is read, and archived; null if it stays mail. Throws
 * `resource_not_found` for mail that stays mail in a mailbox which nobody reads.
 */
async function addToTicket(
  ctx: OperationContext,
  { mailbox, mail, senderCheck, ticketsOf: senders, ticket: content }: PreparedDelivery,
): Promise<string | null> {
  const { workspaceId, mailboxId } = mailbox;
  const { from, subject, references } = mail;
  const isTrusted = senderCheck === null || senderCheck.status === 'verified';
  const added =
    content &&
    (await ctx.services.ticketInbox.receive(ctx, {
      ...content,
      mailbox,
      senders,
      from,
      subject,
      references,
      isTrusted,
    }));
  if (added || senders === null) return added;
  const { rows } = await sql`
    select from ${sql.raw(MAILBOX_READERS)} where b.workspace_id = ${workspaceId} and b.id = ${mailboxId} limit 1`.execute(
    ctx.db,
  );
  if (rows.length === 0)
    throw new ApiError('resource_not_found', { message: 'The address takes no such mail.' });
  return null;
}

/**
 * Adds the invitations to the owner's calendar. Skips them if the owner has changed since they were parsed. Returns which calendar parts
 * the calendar now has as a whole.
 */
async function addInvitations(
  ctx: OperationContext,
  mailbox: MailboxRef,
  { inviteeId, documents, sender }: NonNullable<PreparedDelivery['invitations']>,
): Promise<Set<number | null>> {
  const invitee = await findInvitee(ctx, mailbox);
  if (invitee?.userId !== inviteeId) return new Set();
  const outcomes = await applyInvitations(ctx, invitee, sender, documents);
  const incomplete = documents.filter(({ refused }) => refused.length > 0).map(({ part }) => part);
  return new Set(outcomes.map(({ part }) => part).filter((part) => !incomplete.includes(part)));
}

async function startThread(
  { db, now }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
): Promise<number> {
  const { id } = await db
    .insertInto('mail_threads')
    .values({ workspace_id: workspaceId, mailbox_id: mailboxId, created_at: now.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

function messageWrite(
  { db, now }: OperationContext,
  { id, thread_id, mailbox, folder, mail, senderCheck, attachments, isRead, ticket }: NewMessage,
): RawBuilder<unknown> {
  const created = now.toISOString();
  return sql`${db.insertInto('mail_messages').values({
    workspace_id: mailbox.workspaceId,
    id,
    mailbox_id: mailbox.mailboxId,
    thread_id,
    folder,
    previous_folder: folder === 'trash' ? 'inbox' : null,
    trashed_at: folder === 'trash' ? created : null,
    from_email: mail.from.email,
    from_name: mail.from.name,
    to_recipients: sql`${JSON.stringify(mail.to)}`,
    cc_recipients: sql`${JSON.stringify(mail.cc)}`,
    bcc_recipients: sql`${JSON.stringify(mail.bcc)}`,
    reply_to: sql`${JSON.stringify(mail.replyTo)}`,
    subject: mail.subject,
    body: mail.body,
    snippet: mail.snippet,
    search_text: mail.searchText,
    sender_check: senderCheck === null ? null : sql`${JSON.stringify(senderCheck)}`,
    attachments: sql`${JSON.stringify(attachments)}`,
    left_out: sql`${JSON.stringify(mail.leftOut)}`,
    is_read: isRead,
    about_ticket: ticket,
    // A sender's clock that is ahead must not keep its messages at the top of the list.
    message_at: mail.date !== null && mail.date < created ? mail.date : created,
    internet_message_id: mail.messageId,
    content_digest: mail.contentDigest,
    in_reply_to: mail.inReplyTo,
    reference_ids: mail.references,
    created_at: created,
  })}`;
}
