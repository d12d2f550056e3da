import type { MailDelivery } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Identity } from '../../access/identity.ts';
import { mayActFor } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { publishMail } from '../streams/publish-mail.ts';
import type { SentTo } from './bounce-address.ts';
import { checkDeliverability } from './deliverability.ts';
import { reportFailed } from './end-attempt.ts';
import type { MailReport } from './read-report.ts';

/** The message of which a report speaks. */
export interface ReportedMessage extends SentTo {
  id: string;
  mailbox_id: number;
}

/** Finds the message that an address of returned mail names: any, or one of a workspace for which the caller may act. Null if it was deleted. */
export async function findReported(
  { db }: Pick<OperationContext, 'db'>,
  sentTo: SentTo,
  caller?: Pick<Identity, 'tokenId'>,
): Promise<ReportedMessage | null> {
  const { rows } = await sql<{ id: string; mailbox_id: number }>`
    select m.id, m.mailbox_id from mail_messages m join workspaces f on f.id = m.workspace_id
    join outgoing_recipients r on r.workspace_id = ${sentTo.workspaceId} and r.message_id = m.id and r.position = ${sentTo.position}
    where m.workspace_id = ${sentTo.workspaceId} and m.alias = ${sentTo.alias}
      and ${caller ? mayActFor(caller) : sql`true`}`.execute(db);
  return rows[0] ? { ...sentTo, ...rows[0] } : null;
}

/** Records what a report says of a sent message. Repeated, it changes nothing. Returns the message as what was delivered. */
export async function recordReport(
  ctx: OperationContext,
  { id, workspaceId, position }: ReportedMessage,
  { kind, reason }: MailReport,
): Promise<MailDelivery> {
  const { db, now } = ctx;
  const at = now.toISOString();
  const ofRecipient = sql`workspace_id = ${workspaceId} and message_id = ${id} and position = ${position}`;
  const { rows } = await sql<{
    author_id: string | null;
    subject: string;
    thread_id: number;
    mailbox_id: number;
  }>`
    select o.author_id, m.subject, m.thread_id, m.mailbox_id
    from outgoing_messages o join mail_messages m on m.workspace_id = ${workspaceId} and m.id = o.message_id
    where o.workspace_id = ${workspaceId} and o.message_id = ${id}
    for no key update of o`.execute(db);
  const [message] = rows;
  if (!message) throw new ApiError('resource_not_found');
  if (kind === 'failed')
    await sql`
      update outgoing_recipients set state = 'failed', detail = ${reason}, answered_at = ${at}
      where ${ofRecipient} and state in ('sent', 'queued')`.execute(db);
  if (kind === 'complaint')
    await sql`
      update outgoing_recipients set complained_at = ${at} where ${ofRecipient} and complained_at is null`.execute(
      db,
    );
  await reportFailed(ctx, workspaceId, id, message);
  if (kind !== 'delayed') await checkDeliverability(ctx, workspaceId);
  await publishMail(ctx, workspaceId, [message.mailbox_id]);
  const { thread_id, mailbox_id: address_id } = message;
  return { object: 'mail_delivery', status: 'delivered', id, thread_id, address_id, left_out: [] };
}
