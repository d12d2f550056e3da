import type { DeliverMailInput, DeliveryFolder, MailDelivery } from '@firmdesk/contract';
import { PLATFORM } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { WorkspaceRef } from '../access/identity.ts';
import { MAILBOX_READERS } from '../access/policy.ts';
import {
  applyInvitations,
  type InvitationDocument,
  type Invitee,
  readInvitations,
} from '../calendar/index.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { ApiError, invalidField } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { newContext, withTransaction } from '../platform/transaction.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { enqueueMailPushJob } from '../push/index.ts';
import { findThread } from './find-thread.ts';
import { parseMail, type RawMail, UnreadableMailError } from './parse-mail.ts';
import type { ParsedMail } from './parsed-mail.ts';

export interface DeliverMail {
  /** The message as it came from the wire (RFC 5322). */
  raw: RawMail;
  /** The mailbox's address; case does not count. */
  mailbox: string;
  folder: DeliveryFolder;
  /** The mailboxes of one workspace alone; left out, any. */
  within?: WorkspaceRef;
}

/** A message that has been read with its invitations, and the mailbox that it is for. */
export interface PreparedDelivery {
  mailboxId: number;
  folder: DeliveryFolder;
  mail: ParsedMail;
  /** What its invitations ask, and of whom. */
  invitations: { userId: string; documents: InvitationDocument[] } | null;
}

/**
 * Reads a message and its invitations for a mailbox. It takes seconds where the message is large, so it comes before the transaction.
 * Raises `resource_not_found` (mailbox), `validation_failed` (`raw`, with the reason why it cannot be read), `unavailable`.
 */
export async function prepareDelivery(ctx: OperationContext, input: DeliverMail): Promise<PreparedDelivery> {
  const mailboxId = await findMailbox(ctx, input);
  const mail = await parseMail(input.raw).catch((error: unknown) => {
    if (error instanceof UnreadableMailError) throw invalidField('raw', error.message);
    throw error;
  });
  const { folder } = input;
  // What was taken for spam asks for nothing.
  const invitations = folder === 'spam' ? null : await prepareInvitations(ctx, mailboxId, mail.calendars);
  return { mailboxId, folder, mail, invitations };
}

/** {@link prepareDelivery} for a caller: the platform's own token reaches every mailbox, a firm's those of its firm. */
export function prepareCallerDelivery(
  ctx: AccountContext,
  { raw, encoding, mailbox, folder }: z.infer<typeof DeliverMailInput>,
): Promise<PreparedDelivery> {
  const isPlatform = ctx.workspace.slug === PLATFORM && ctx.identity.user.isStaff;
  return prepareDelivery(ctx, {
    raw: { text: raw, encoding },
    mailbox,
    folder,
    ...(!isPlatform && { within: ctx.workspace }),
  });
}

/**
 * Puts a message from outside into a mailbox and into its conversation there. A message that the mailbox holds already, by
 * its `Message-ID`, is not put in again: a retry is safe, and answered with the first one.
 *
 * Raises `resource_not_found` (a mailbox that is gone since).
 */
export async function deliverPrepared(
  ctx: OperationContext,
  { mailboxId, folder, mail, invitations }: PreparedDelivery,
): Promise<MailDelivery> {
  const db = sqlOf(ctx.em);
  // Deliveries to one mailbox take turns: equal messages meet, and an answer finds the conversation just begun.
  const { rows } = await sql`select from mailboxes where id = ${mailboxId} for no key update`.execute(db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
  const held = await db
    .selectFrom('mail_messages')
    .select(['id', 'thread_id'])
    .where('mailbox_id', '=', mailboxId)
    .where('internet_message_id', '=', mail.messageId)
    .executeTakeFirst();
  const { id, thread_id } = held ?? (await insertMessage(ctx, mailboxId, folder, mail));
  if (!held && folder === 'inbox') await enqueueMailPushJob(ctx, id);
  if (!held && invitations) await enterInvitations(ctx, mailboxId, invitations);
  return {
    object: 'mail_delivery',
    status: held ? 'already_delivered' : 'delivered',
    id,
    thread_id,
    address_id: mailboxId,
  };
}

/** Reads and delivers a message for a command or another part of the process. Raises what the two steps raise. */
export async function deliverMail(services: Services, input: DeliverMail): Promise<MailDelivery> {
  const prepared = await prepareDelivery(newContext(services), input);
  return withTransaction(services, (ctx) => deliverPrepared(ctx, prepared));
}

async function findMailbox({ em }: OperationContext, { mailbox, within }: DeliverMail): Promise<number> {
  let query = sqlOf(em)
    .selectFrom('mailboxes')
    .select('id')
    .where(sql`lower(email)`, '=', sql`lower(${mailbox})`);
  if (within) query = query.where('workspace_id', '=', within.id);
  const found = await query.executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found', { message: `There is no mailbox ${mailbox}.` });
  return found.id;
}

/** Reads the invitations of a mail for whoever they are for; null where the mail has none, or nobody to invite. */
async function prepareInvitations(
  ctx: OperationContext,
  mailboxId: number,
  calendars: string[],
): Promise<PreparedDelivery['invitations']> {
  const invitee = calendars.length > 0 ? await findInvitee(ctx, mailboxId) : null;
  if (!invitee) return null;
  const documents = await readInvitations(
    { queue: invitee.userId, log: ctx.services.log },
    calendars,
    invitee.timezone,
  );
  return { userId: invitee.userId, documents };
}

/** Enters the invitations, unless they are for somebody else by now. */
async function enterInvitations(
  ctx: OperationContext,
  mailboxId: number,
  { userId, documents }: NonNullable<PreparedDelivery['invitations']>,
): Promise<void> {
  const invitee = await findInvitee(ctx, mailboxId);
  if (invitee?.userId === userId) await applyInvitations(ctx, invitee, documents);
}

/** Invitations go into the calendar of the mailbox's owner: whose address it is, or who alone reads it. */
async function findInvitee(
  ctx: OperationContext,
  mailboxId: number,
): Promise<(Invitee & { timezone: string }) | null> {
  const { rows } = await sql<{ user_id: string; workspace_id: number; timezone: string; is_own: boolean }>`
    select r.user_id, b.workspace_id, u.timezone, lower(u.email) = lower(b.email) as is_own
    from ${sql.raw(MAILBOX_READERS)}
    join users u on u.id = r.user_id
    where b.id = ${mailboxId}
    order by is_own desc
    limit 2`.execute(sqlOf(ctx.em));
  const [first] = rows;
  if (!first || (!first.is_own && rows.length > 1)) return null;
  return { userId: first.user_id, workspaceId: first.workspace_id, timezone: first.timezone };
}

async function insertMessage(
  ctx: OperationContext,
  mailboxId: number,
  folder: DeliveryFolder,
  mail: ParsedMail,
) {
  const { em, now } = ctx;
  const db = sqlOf(em);
  const created = now.toISOString();
  const threadId =
    (await findThread(ctx, mailboxId, mail)) ??
    (
      await db
        .insertInto('mail_threads')
        .values({ mailbox_id: mailboxId, created_at: created })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id;
  return db
    .insertInto('mail_messages')
    .values({
      id: newId('mailMessage', now),
      mailbox_id: mailboxId,
      thread_id: threadId,
      folder,
      from_email: mail.from.email,
      from_name: mail.from.name,
      to_recipients: sql`${JSON.stringify(mail.to)}`,
      cc_recipients: sql`${JSON.stringify(mail.cc)}`,
      bcc_recipients: sql`${JSON.stringify(mail.bcc)}`,
      subject: mail.subject,
      body: mail.body,
      snippet: mail.snippet,
      is_read: false,
      // A clock of the sender's that is ahead must not hold its mail on top of the list.
      message_at: mail.date !== null && mail.date < created ? mail.date : created,
      internet_message_id: mail.messageId,
      in_reply_to: mail.inReplyTo,
      reference_ids: mail.references,
      created_at: created,
    })
    .returning(['id', 'thread_id'])
    .executeTakeFirstOrThrow();
}
