import type {
  DeliverMailInput,
  DeliveryFolder,
  Folder,
  MailAttachment,
  MailDelivery,
  SenderCheck,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Identity } from '../../access/identity.ts';
import { MAILBOX_READERS } from '../../access/policy.ts';
import {
  applyInvitations,
  type InvitationSender,
  type Invitee,
  type ReadInvitation,
  readInvitations,
} from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext, withTransaction } from '../../platform/database/transaction.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { enqueueMailPushJob } from '../../push/index.ts';
import { claimMailFiles, storeMailFiles } from '../files/mail-attachments.ts';
import type { StoredRule } from '../mail.entity.ts';
import { findAddress, type MailboxRef, type TicketSenders } from '../mailboxes/mailbox-directory.ts';
import { parseMail, type RawMail, UnreadableMailError } from '../parsing/parse-mail.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { runRules } from '../rules/mail-rule.ts';
import { readBounceAddress } from '../sending/bounce-address.ts';
import type { MailReport } from '../sending/read-report.ts';
import { findReported, type ReportedMessage, recordReport } from '../sending/record-report.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { answerAbsence } from '../system/absence-answers.ts';
import { endSnooze } from '../threads/snooze-threads.ts';
import { findMailThread } from './find-mail-thread.ts';
import { prepareTicketContent, type TicketContent } from './ticket-content.ts';

export interface DeliverMail {
  /** The message as received (RFC 5322). */
  raw: RawMail;
  /** The mailbox's address, case-insensitive. */
  mailbox: string;
  folder: DeliveryFolder;
  /** Only a mailbox of a workspace for which this caller may act is found. By default any mailbox. */
  caller?: Identity;
}

/** A parsed message, its files and its invitations, ready to store in a mailbox. */
export interface PreparedDelivery {
  mailbox: MailboxRef;
  folder: DeliveryFolder;
  mail: Omit<ParsedMail, 'files'>;
  /** Its files, whose contents are stored. */
  files: StoredFile[];
  /** The sent message of which it reports; null for other mail. */
  reported: { message: ReportedMessage; report: MailReport } | null;
  invitations: { inviteeId: string; documents: ReadInvitation[]; sender: InvitationSender } | null;
  /** Whether the domain of the sender vouches for it; null if nobody has checked. */
  senderCheck: SenderCheck | null;
  /** Whose mail to the address opens tickets; null if it opens none. */
  ticketsOf: TicketSenders | null;
  /** What the ticket gets that it opens or continues; null if it stays mail. */
  ticket: TicketContent | null;
}

/** Where a message goes. `returned`: the sent message of which a report may come to this address. */
interface Destination {
  mailbox: MailboxRef;
  returned: ReportedMessage | null;
  ticketsOf: TicketSenders | null;
}

/** A stored file. `calendarPart`: which of the `calendarParts` it is. */
interface StoredFile {
  attachment: MailAttachment;
  calendarPart: number | null;
}

/**
 * Parses a message and its invitations for a mailbox, and stores the contents of its files. Both can take seconds, so this runs before the transaction.
 * Throws `resource_not_found` (mailbox), `validation_failed` (`raw` cannot be parsed), `unavailable`.
 */
export async function prepareDelivery(ctx: OperationContext, input: DeliverMail): Promise<PreparedDelivery> {
  const destination = await findDestination(ctx, input.mailbox, input.caller);
  if (!destination)
    throw new ApiError('resource_not_found', { message: `There is no mailbox ${input.mailbox}.` });
  const mail = await parseMail(input.raw).catch((error: unknown) => {
    if (error instanceof UnreadableMailError) throw invalidField('raw', error.message);
    throw error;
  });
  return prepareParsed(ctx, { ...destination, folder: input.folder, mail, senderCheck: null });
}

/** {@link prepareDelivery} for a message that is parsed. Throws `unavailable`. */
export async function prepareParsed(
  ctx: OperationContext,
  {
    mailbox,
    returned,
    ticketsOf,
    folder,
    mail: { files, ...mail },
    senderCheck,
  }: Destination & Pick<PreparedDelivery, 'folder' | 'senderCheck'> & { mail: ParsedMail },
): Promise<PreparedDelivery> {
  if (returned && mail.report) {
    const reported = { message: returned, report: mail.report };
    const nothing = { files: [], invitations: null, ticketsOf: null, ticket: null };
    return { mailbox, folder, mail, ...nothing, reported, senderCheck };
  }
  if (returned && returned.mailbox_id === null)
    throw new ApiError('resource_not_found', { message: 'The address takes reports only.' });
  // Those in spam are ignored, and those of a sender whose domain disowns the message.
  const isIgnored = folder === 'spam' || senderCheck?.status === 'failed';
  const invitations = isIgnored ? null : await prepareInvitations(ctx, mailbox, mail, senderCheck);
  // A message that was delivered before has its files.
  const maybeTicket =
    folder === 'inbox' &&
    !isIgnored &&
    !mail.isAutomatic &&
    (ticketsOf !== null || (await answersTicket(ctx, mailbox, mail)));
  const isNew = (files.length > 0 || maybeTicket) && !(await findDelivered(ctx, mailbox, mail));
  const attachments = isNew ? await storeMailFiles(ctx, mailbox.workspaceId, files) : [];
  const stored = attachments.map((attachment, i) => ({
    attachment,
    calendarPart: files[i]!.calendarPart,
  }));
  const ticket =
    maybeTicket && isNew
      ? await prepareTicketContent(ctx, mailbox.workspaceId, { body: mail.body, files })
      : null;
  return {
    mailbox,
    folder,
    mail,
    files: stored,
    invitations,
    reported: null,
    senderCheck,
    ticketsOf,
    ticket,
  };
}

/** {@link prepareDelivery} for a caller: to the mailboxes of the firms for which its token may act, also while they are suspended. */
export function prepareCallerDelivery(
  ctx: AccountContext,
  { raw, encoding, mailbox, folder }: z.infer<typeof DeliverMailInput>,
): Promise<PreparedDelivery> {
  return prepareDelivery(ctx, {
    raw: { text: raw, encoding },
    mailbox,
    folder,
    caller: ctx.identity,
  });
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
  const db = ctx.db;
  // Serializes deliveries to one mailbox, so that concurrent duplicates and replies find each other's message and conversation.
  const { workspaceId, mailboxId } = mailbox;
  const { rows } = await sql<{ rules: StoredRule[] }>`
    select rules from mailboxes where workspace_id = ${workspaceId} and id = ${mailboxId} for no key update`.execute(
    db,
  );
  const [locked] = rows;
  if (!locked) throw new ApiError('resource_not_found');
  const existing = await findDelivered(ctx, mailbox, mail);
  const { id, thread_id } = existing ?? (await storeMessage(ctx, prepared, locked.rules));
  return {
    object: 'mail_delivery',
    status: existing ? 'already_delivered' : 'delivered',
    id,
    thread_id,
    address_id: mailboxId,
    left_out: existing ? [] : mail.leftOut,
  };
}

async function storeMessage(
  ctx: OperationContext,
  prepared: PreparedDelivery,
  rules: readonly StoredRule[],
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
  const { isRead } = outcome;
  const message = await insertMessage(ctx, mailbox, { ...prepared, attachments, folder, isRead });
  if (folder === 'inbox') await endSnooze(ctx, workspaceId, message.thread_id, null);
  // The answer to a forged sender would go to somebody who has not written.
  if (
    prepared.folder === 'inbox' &&
    (folder === 'inbox' || folder === 'archive') &&
    senderCheck?.status !== 'failed'
  )
    await answerAbsence(ctx, mailbox, mail);
  await applyRules(ctx, mailbox, message, isAutoSubmitted ? { ...outcome, forwards: [] } : outcome);
  await claimMailFiles(ctx, { workspaceId, message: message.id, attachments });
  const isTicket = await addToTicket(ctx, message.id, prepared);
  await publishMail(ctx, workspaceId, [mailboxId]);
  if (folder === 'inbox' && !isRead && !isTicket) await enqueueMailPushJob(ctx, workspaceId, message.id);
  return message;
}

/**
 * Opens a ticket for a stored message, or adds it to the one that it continues. Returns whether it did: then the message is read, and archived. Throws
 * `resource_not_found` for mail that stays mail in a mailbox which nobody reads.
 */
async function addToTicket(
  ctx: OperationContext,
  id: string,
  { mailbox, mail, senderCheck, ticketsOf: senders, ticket: content }: PreparedDelivery,
): Promise<boolean> {
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
  if (added) {
    await sql`
      update mail_messages set about_ticket = ${added}, folder = 'archive', is_read = true
      where workspace_id = ${workspaceId} and id = ${id}`.execute(ctx.db);
    return true;
  }
  if (senders === null) return false;
  const { rows } = await sql`
    select from ${sql.raw(MAILBOX_READERS)} where b.workspace_id = ${workspaceId} and b.id = ${mailboxId} limit 1`.execute(
    ctx.db,
  );
  if (rows.length === 0)
    throw new ApiError('resource_not_found', { message: 'The address takes no such mail.' });
  return false;
}

/** Parses and stores a message, for callers outside of a procedure. Throws what {@link prepareDelivery} throws. */
export async function deliverMail(services: Services, input: DeliverMail): Promise<MailDelivery> {
  const prepared = await prepareDelivery(newContext(services), input);
  return withTransaction(services, (ctx) => deliverPrepared(ctx, prepared));
}

/**
 * Finds where mail to an address goes; null if nowhere. The address of a returned message has the mailbox that sent it, where an answer of a
 * person to it is stored. That of a system mail takes reports only.
 */
export async function findDestination(
  ctx: OperationContext,
  address: string,
  caller?: Identity,
): Promise<Destination | null> {
  // First, because a mailbox `bounce` would have its address, too: what is behind a plus is a tag.
  const sentTo = await readBounceAddress(ctx.services, address);
  const returned = sentTo && (await findReported(ctx, sentTo, caller));
  if (returned)
    return {
      mailbox: { workspaceId: returned.workspaceId, mailboxId: returned.mailbox_id ?? 0 },
      returned,
      ticketsOf: null,
    };
  const found = await findAddress(ctx.db, address, caller);
  return found && { ...found, returned: null };
}

/** Parses the `text/calendar` parts of a message. Returns null if it has none, or if the mailbox has no single owner. */
async function prepareInvitations(
  ctx: OperationContext,
  mailbox: MailboxRef,
  { calendarParts, from, sender }: Pick<ParsedMail, 'calendarParts' | 'from' | 'sender'>,
  senderCheck: SenderCheck | null,
): Promise<PreparedDelivery['invitations']> {
  const invitee = calendarParts.length > 0 ? await findInvitee(ctx, mailbox) : null;
  if (!invitee) return null;
  const documents = await readInvitations(
    { queue: invitee.userId, log: ctx.services.log },
    calendarParts,
    invitee.timezone,
  );
  const check = senderCheck?.status ?? null;
  return { inviteeId: invitee.userId, documents, sender: { from: from.email, sender, check } };
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

/** Returns the mailbox's owner: the reader with the same address, or the only reader. */
async function findInvitee(
  ctx: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
): Promise<(Invitee & { timezone: string }) | null> {
  const { rows } = await sql<{ user_id: string; timezone: string; is_own: boolean }>`
    select r.user_id, u.timezone, lower(u.email) = lower(b.email) as is_own
    from ${sql.raw(MAILBOX_READERS)}
    join users u on u.id = r.user_id
    where b.workspace_id = ${workspaceId} and b.id = ${mailboxId}
    order by is_own desc
    limit 2`.execute(ctx.db);
  const [first] = rows;
  if (!first || (!first.is_own && rows.length > 1)) return null;
  return { userId: first.user_id, workspaceId, timezone: first.timezone };
}

/** Returns whether a message answers one of a ticket, in a mailbox whose other mail opens none. */
async function answersTicket(
  { db }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  { references }: Pick<ParsedMail, 'references'>,
): Promise<boolean> {
  if (references.length === 0) return false;
  const { rows } = await sql`
    select from mail_messages
    where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = any(${references}::text[])
      and about_ticket is not null
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Finds a message with the same id and content. */
async function findDelivered(
  { db }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  { messageId, contentDigest }: Omit<ParsedMail, 'files'>,
): Promise<{ id: string; thread_id: number } | undefined> {
  const { rows } = await sql<{ id: string; thread_id: number }>`
    select id, thread_id from mail_messages
    where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = ${messageId}
      and content_digest = ${contentDigest}`.execute(db);
  return rows[0];
}

async function insertMessage(
  ctx: OperationContext,
  mailbox: MailboxRef,
  {
    folder,
    mail,
    attachments,
    senderCheck,
    isRead,
  }: Pick<PreparedDelivery, 'mail' | 'senderCheck'> & {
    folder: Folder;
    attachments: MailAttachment[];
    isRead: boolean;
  },
) {
  const { db, now } = ctx;
  const { workspaceId, mailboxId } = mailbox;
  const created = now.toISOString();
  const threadId =
    (await findMailThread(ctx, mailbox, mail)) ??
    (
      await db
        .insertInto('mail_threads')
        .values({ workspace_id: workspaceId, mailbox_id: mailboxId, created_at: created })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  return db
    .insertInto('mail_messages')
    .values({
      workspace_id: workspaceId,
      id: newId('mailMessage', now),
      mailbox_id: mailboxId,
      thread_id: threadId,
      folder,
      ...(folder === 'trash' && { previous_folder: 'inbox', trashed_at: created }),
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
      // A sender's clock that is ahead must not keep its messages at the top of the list.
      message_at: mail.date !== null && mail.date < created ? mail.date : created,
      internet_message_id: mail.messageId,
      content_digest: mail.contentDigest,
      in_reply_to: mail.inReplyTo,
      reference_ids: mail.references,
      created_at: created,
    })
    .returning(['id', 'thread_id'])
    .executeTakeFirstOrThrow();
}
