import type { MailRecipient } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { newContext } from '../../platform/database/transaction.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import type { Absence } from '../mail.entity.ts';
import { knownForms, type MailboxRef } from '../mailboxes/mailbox-directory.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';
import { escapeHtml } from './html.ts';
import { queueSystemMail } from './queue-system-mail.ts';
import type { AbsenceContent } from './system-mail.ts';
import type { WrittenMail } from './written-mail.ts';

/** A correspondent gets the answer once in this time. */
const PAUSE_MS = 7 * DAY_MS;
/** A mailbox answers at most this many messages a day: who forges senders could otherwise let it write to anybody. */
const MAX_PER_DAY = 200;
/** An answer that comes later confuses. */
const LATE_MS = DAY_MS;
/** How many of the addresses in To and Cc are looked at. */
const MAX_ADDRESSED = 100;

/** What decides whether a message is answered. */
type Received = Pick<
  ParsedMail,
  'from' | 'to' | 'cc' | 'subject' | 'messageId' | 'isAutomatic' | 'suppressesAnswers' | 'report'
>;

interface MailboxRow {
  email: string;
  name: string;
  absence: Absence | null;
}

/**
 * Queues the automatic answer of a mailbox, whose row is locked, to a message that was just stored in its inbox (RFC 3834): while it is on, to a person who
 * wrote to the mailbox itself, once a week. Mail of lists and of programs, reports, and mail of the mailbox's own addresses are not answered.
 */
export async function answerAbsence(
  ctx: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  absence: Absence | null,
  mail: Received,
): Promise<void> {
  if (!absence || !isAway(absence, ctx.now)) return;
  if (mail.isAutomatic || mail.suppressesAnswers || mail.report !== null || mail.from.email === '') return;
  const own = await ownAddresses(ctx, workspaceId, mailboxId);
  const isOwn = ({ email }: MailRecipient) => knownForms(email).some((form) => own.has(form));
  if (isOwn(mail.from) || ![...mail.to, ...mail.cc].slice(0, MAX_ADDRESSED).some(isOwn)) return;
  const about = `${ofMailbox(mailboxId)}${mail.from.email.toLowerCase()} `;
  const since = new Date(ctx.now.getTime() - PAUSE_MS).toISOString();
  const { rows } = await sql`
    select from outgoing_messages where workspace_id = ${workspaceId} and starts_with(about, ${about}) and send_at > ${since} limit 1`.execute(
    ctx.db,
  );
  if (rows.length > 0 || (await hasReachedLimit(ctx, workspaceId, mailboxId))) return;
  await queueSystemMail(ctx, workspaceId, {
    kind: 'absence',
    userId: absence.user_id,
    about: about + ctx.now.toISOString(),
    content: { mailbox_id: mailboxId, to: mail.from, subject: mail.subject, message_id: mail.messageId },
    sendUntil: new Date(ctx.now.getTime() + LATE_MS).toISOString(),
  });
}

const ofMailbox = (mailboxId: number) => `absence ${mailboxId} `;

async function hasReachedLimit(
  { db, now }: OperationContext,
  workspaceId: number,
  mailboxId: number,
): Promise<boolean> {
  const since = new Date(now.getTime() - DAY_MS).toISOString();
  const { rows } = await sql`
    select from outgoing_messages
    where workspace_id = ${workspaceId} and starts_with(about, ${ofMailbox(mailboxId)}) and send_at > ${since}
    limit 1 offset ${MAX_PER_DAY - 1}`.execute(db);
  return rows.length > 0;
}

/** Writes the answer, unless it was switched off meanwhile. */
export async function writeAbsence(
  services: Services,
  workspaceId: number,
  { content: { mailbox_id, to, subject, message_id } }: { content: AbsenceContent },
): Promise<WrittenMail> {
  const ctx = newContext(services);
  const mailbox = await findMailbox(ctx, workspaceId, mailbox_id);
  if (!mailbox?.absence || !isAway(mailbox.absence, ctx.now)) return { reason: 'It was switched off.' };
  const { absence, email, name } = mailbox;
  return {
    message: {
      from: { name, address: email },
      to: { name: to.name ?? '', address: to.email },
      subject: absence.subject || `Re: ${subject}`.trim(),
      text: absence.text,
      html: `<div style="white-space: pre-wrap">${escapeHtml(absence.text)}</div>`,
      inReplyTo: `<${message_id}>`,
      headers: { 'Auto-Submitted': 'auto-replied' },
    },
    returnPath: '',
  };
}

function isAway({ is_on, starts_at, ends_at }: Absence, now: Date): boolean {
  const at = now.toISOString();
  return is_on && (starts_at === null || starts_at <= at) && (ends_at === null || at < ends_at);
}

async function findMailbox(
  { db }: OperationContext,
  workspaceId: number,
  mailboxId: number,
): Promise<MailboxRow | undefined> {
  const { rows } = await sql<MailboxRow>`
    select email, name, absence from mailboxes where workspace_id = ${workspaceId} and id = ${mailboxId}`.execute(
    db,
  );
  return rows[0];
}

/** Returns the addresses of a mailbox, in lower case. */
async function ownAddresses(
  { db }: OperationContext,
  workspaceId: number,
  mailboxId: number,
): Promise<Set<string>> {
  const { rows } = await sql<{ address: string }>`
    select address from mailbox_addresses where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId}`.execute(
    db,
  );
  return new Set(rows.map(({ address }) => address));
}
