import type { DeliverMailInput, DeliveryFolder, MailAttachment, SenderCheck } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Identity } from '../../access/identity.ts';
import { MAILBOX_READERS } from '../../access/policy.ts';
import {
  type InvitationSender,
  type Invitee,
  type ReadInvitation,
  readInvitations,
} from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { storeMailFiles } from '../files/mail-attachments.ts';
import { findAddress, type MailboxRef, type TicketSenders } from '../mailboxes/mailbox-directory.ts';
import { parseMail, type RawMail, UnreadableMailError } from '../parsing/parse-mail.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';
import { readBounceAddress } from '../sending/bounce-address.ts';
import type { MailReport } from '../sending/reports/read-report.ts';
import { findReported, type ReportedMessage } from '../sending/reports/record-report.ts';
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
export interface Destination {
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
  const mail = await parseMail(String(destination.mailbox.workspaceId), input.raw).catch((error: unknown) => {
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
  const isNew = (files.length > 0 || maybeTicket) && !(await isDelivered(ctx, mailbox, mail));
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

/** Returns the mailbox's owner: the reader with the same address, or the only reader. */
export async function findInvitee(
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

/** Returns whether the mailbox has a message with the same id and content. */
async function isDelivered(
  { db }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  { messageId, contentDigest }: Omit<ParsedMail, 'files'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from mail_messages
    where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = ${messageId}
      and content_digest = ${contentDigest}`.execute(db);
  return rows.length > 0;
}
