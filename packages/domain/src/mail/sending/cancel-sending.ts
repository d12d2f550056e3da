import type { MailListRow } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { inWritableMailbox, type ReaderContext } from '../mailboxes/mailbox-access.ts';
import { selectMessages, toListRow } from '../messages/mail-message-row.ts';
import { publishMail } from '../streams/publish-mail.ts';

/**
 * Takes a message back that is delayed: it is a draft again, with its id, its conversation and its files. A repeated call finds the draft, and returns it as it
 * is. Throws `resource_not_found`, `already_sent`.
 */
export async function cancelSending(ctx: ReaderContext, { id }: { id: string }): Promise<MailListRow> {
  const { rows } = await sql<{ folder: string; mailbox_id: number }>`
    select m.folder, m.mailbox_id from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and m.id = ${id} and ${inWritableMailbox(ctx)}
    for no key update`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new ApiError('resource_not_found');
  if (found.folder !== 'drafts') {
    if (!(await deleteDelayed(ctx, ctx.workspace.id, id)))
      throw new ApiError((await wasSent(ctx, found.folder, id)) ? 'already_sent' : 'resource_not_found');
    await makeDraft(ctx, ctx.workspace.id, id);
    await publishMail(ctx, ctx.workspace.id, [found.mailbox_id]);
  }
  return toListRow(await selectMessages(ctx).where('m.id', '=', id).executeTakeFirstOrThrow());
}

async function wasSent({ db, workspace }: ReaderContext, folder: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from outgoing_messages where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  return folder === 'sent' || rows.length > 0;
}

/** Ends the sending of a message that is delayed, so that its job finds nothing. Returns whether it was delayed. */
export async function deleteDelayed(
  { db }: Pick<OperationContext, 'db'>,
  workspaceId: number,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    delete from outgoing_messages where workspace_id = ${workspaceId} and id = ${id} and started_at is null
    returning id`.execute(db);
  return rows.length > 0;
}

/** Makes a message that was not sent a draft again. Its time, if it is ahead, is now. */
export async function makeDraft(
  { db, now }: Pick<OperationContext, 'db' | 'now'>,
  workspaceId: number,
  id: string,
): Promise<void> {
  await sql`
    update mail_messages set folder = 'drafts', previous_folder = null, internet_message_id = null, in_reply_to = null,
      reference_ids = '{}', message_at = (least(message_at, ${now.toISOString()}) at time zone 'UTC' + interval '1 microsecond') at time zone 'UTC'
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
}
