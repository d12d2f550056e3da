import { MAX_MESSAGE_LENGTH, MAX_SUBJECT_LENGTH } from '@firmdesk/contract';
import { sql } from 'kysely';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { addUser } from '../access/accounts/users.ts';
import type { TicketMail } from '../mail/index.ts';
import type { OperationContext } from '../platform/database/context.ts';
import { ApiError } from '../platform/process/errors.ts';
import { findTrader, openTicket, type WorkspaceContext, writeTraderMessage } from '../tickets/index.ts';
import { chooseTicket, type NamedTicket, numbersIn } from './choose-ticket.ts';

/** How many mails of one sender become messages of tickets in an hour. Others stay mail. */
const MAX_PER_HOUR = 20;
const HOUR_MS = 3_600_000;
/** How many strangers become traders of a firm in an hour, in each process: everybody has as many addresses as they like. Mail of others stays mail. */
const MAX_NEW_TRADERS = 100;
const newTraders = new RateLimiterMemory({ points: MAX_NEW_TRADERS, duration: HOUR_MS / 1_000 });

/** Opens a ticket for a mail, or adds it to the one that it continues. Returns the ticket; null if the mail stays mail. */
export async function receiveTicketMail(base: OperationContext, mail: TicketMail): Promise<string | null> {
  const ctx: WorkspaceContext = { ...base, workspace: { id: mail.mailbox.workspaceId } };
  if (await hasReachedLimit(ctx, mail.from.email)) return null;
  const trader = (await findTrader(ctx, mail.from.email)) ?? (await addTrader(ctx, mail));
  if (!trader) return null;
  const ticket = await findContinued(ctx, mail);
  if (ticket === null && mail.senders === null) return null;
  const wrote =
    ticket === null
      ? await openTicket(ctx, newTicket(mail, trader.email, true))
      : await writeTraderMessage(ctx, { ...messageOf(mail, trader.email), ticket });
  return wrote.ticket.id;
}

/** Opens a ticket of the sender of a mail for a colleague, who answers: the assistant stays off. Returns null if the sender is no member, and cannot become one. */
export async function openTicketOf(
  base: OperationContext,
  mail: TicketMail,
): Promise<{ id: string; number: string } | null> {
  const ctx: WorkspaceContext = { ...base, workspace: { id: mail.mailbox.workspaceId } };
  const trader = (await findTrader(ctx, mail.from.email)) ?? (await addTrader(ctx, mail));
  if (!trader) return null;
  const { id, number } = (await openTicket(ctx, newTicket(mail, trader.email, false))).ticket;
  return { id, number };
}

function messageOf({ text, files }: TicketMail, from: string) {
  const body = text.slice(0, MAX_MESSAGE_LENGTH).toWellFormed().trim() || '(no text)';
  return { from, body, via_email: true, files };
}

function newTicket(mail: TicketMail, from: string, isForAssistant: boolean) {
  return {
    ...messageOf(mail, from),
    subject: mail.subject.slice(0, MAX_SUBJECT_LENGTH).toWellFormed().trim() || '(no subject)',
    priority: 'normal' as const,
    ai_enabled: isForAssistant,
  };
}

async function hasReachedLimit({ db, workspace, now }: WorkspaceContext, email: string): Promise<boolean> {
  const since = new Date(now.getTime() - HOUR_MS).toISOString();
  const { rows } = await sql`
    select from mail_messages
    where workspace_id = ${workspace.id} and lower(from_email) = lower(${email}) and folder <> 'sent'
      and about_ticket is not null and created_at > ${since}
    limit 1 offset ${MAX_PER_HOUR - 1}`.execute(db);
  return rows.length > 0;
}

/** Makes a sender who is no member of the firm a trader of it, if the address is open to everyone. */
async function addTrader(ctx: WorkspaceContext, { from, senders, isTrusted }: TicketMail) {
  if (senders !== 'anyone' || !isTrusted) return undefined;
  const isCounted = await newTraders.consume(String(ctx.workspace.id)).then(
    () => true,
    () => false,
  );
  if (!isCounted) return undefined;
  const { rows } = await sql<{ slug: string }>`
    select slug from workspaces where id = ${ctx.workspace.id}`.execute(ctx.db);
  try {
    await addUser(ctx, {
      email: from.email,
      name: from.name?.slice(0, 100) || from.email,
      workspace: rows[0]!.slug,
      role: 'trader',
      permissions: [],
    });
  } catch (error) {
    // The address is none, or that of an account that was deactivated or dismissed.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
  return findTrader(ctx, from.email);
}

async function findContinued(ctx: WorkspaceContext, mail: TicketMail): Promise<string | null> {
  const { db, workspace } = ctx;
  const trader = sql`
    join tickets t on t.workspace_id = ${workspace.id}`;
  const byReference = await sql<NamedTicket>`
    select t.id, u.email as trader, m.internet_message_id as name
    from mail_messages m ${trader} and t.id = m.about_ticket join users u on u.id = t.trader_id
    where m.workspace_id = ${workspace.id} and m.mailbox_id = ${mail.mailbox.mailboxId}
      and m.internet_message_id = any(${[...mail.references]}::text[])`.execute(db);
  const byNumber = await sql<NamedTicket>`
    select t.id, u.email as trader, t.number as name from tickets t join users u on u.id = t.trader_id
    where t.workspace_id = ${workspace.id}
    and t.number = any(${numbersIn(mail.subject)}::text[])`.execute(db);
  return chooseTicket(
    { ...mail, from: mail.from.email },
    { byReference: byReference.rows, byNumber: byNumber.rows },
  );
}
