import type { MailDelivery } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { Identity } from '../../../access/identity.ts';
import { mayActFor } from '../../../access/policy.ts';
import type { OperationContext } from '../../../platform/database/context.ts';
import { ApiError } from '../../../platform/process/errors.ts';
import { publishMail } from '../../streams/publish-mail.ts';
import type { SentTo } from '../bounce-address.ts';
import { checkDeliverability } from '../deliverability.ts';
import { type ReportedMail, reportedColumns, reportFailed } from '../end-attempt.ts';
import type { MailReport } from './read-report.ts';

/** The message of which a report speaks. */
export interface ReportedMessage extends SentTo {
  id: string;
  /** Null for a system mail, which is in no mailbox. */
  mailbox_id: number | null;
}

/**
 * Finds the message that an address of returned mail names: any, or one in a mailbox of a workspace for which the caller may act. Null if it was
 * deleted.
 */
export async function findReported(
  { db }: Pick<OperationContext, 'db'>,
  sentTo: SentTo,
  caller?: Pick<Identity, 'tokenId'>,
): Promise<ReportedMessage | null> {
  const { workspaceId, alias, position } = sentTo;
  const { rows } = await sql<{ id: string; mailbox_id: number | null }>`
    select o.id, m.mailbox_id from outgoing_messages o join workspaces f on f.id = o.workspace_id
    left join mail_messages m on m.workspace_id = ${workspaceId} and m.id = o.message_id
    join outgoing_recipients r on r.workspace_id = ${workspaceId} and r.message_id = o.id and r.position = ${position}
    where o.workspace_id = ${workspaceId} and o.alias = ${alias}
      and ${caller ? sql`o.kind is null and ${mayActFor(caller)}` : sql`true`}`.execute(db);
  return rows[0] ? { ...sentTo, ...rows[0] } : null;
}

/**
 * Records what a report says of a sent message. Repeated, it changes nothing. Returns the message as what was delivered; the conversation and the mailbox of
 * a system mail are 0.
 */
export async function recordReport(
  ctx: OperationContext,
  { id, workspaceId, position }: ReportedMessage,
  { kind, reason }: MailReport,
): Promise<MailDelivery> {
  const { db, now } = ctx;
  const at = now.toISOString();
  const ofRecipient = sql`workspace_id = ${workspaceId} and message_id = ${id} and position = ${position}`;
  const { rows } = await sql<ReportedMail & { thread_id: number | null }>`
    select ${reportedColumns}, m.thread_id
    from outgoing_messages o left join mail_messages m on m.workspace_id = ${workspaceId} and m.id = o.message_id
    where o.workspace_id = ${workspaceId} and o.id = ${id}
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
  const { thread_id, mailbox_id } = message;
  if (mailbox_id !== null) await publishMail(ctx, workspaceId, [mailbox_id]);
  return {
    object: 'mail_delivery',
    status: 'delivered',
    id,
    thread_id: thread_id ?? 0,
    address_id: mailbox_id ?? 0,
    left_out: [],
  };
}
