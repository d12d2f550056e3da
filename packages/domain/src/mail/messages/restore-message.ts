import type { MailListRow, RestoreMessageInput } from '@firmdesk/contract';
import { type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { hasIdIn, lockMessages } from './lock-messages.ts';
import { selectMessages, toListRow } from './mail-message-row.ts';

/**
 * Restores a message (contract §3.2, §4.3) and returns it. With `conversation`, restores its whole thread. From spam and trash a
 * message moves to its recorded folder, or to the inbox if none is recorded. From the archive only the named message is restored,
 * and only while its previous folder is recorded: so repeating a restore changes nothing. Throws `resource_not_found`.
 */
export async function restoreMessage(
  ctx: ReaderContext,
  { id, conversation }: z.infer<typeof RestoreMessageInput>,
): Promise<MailListRow> {
  const { thread_id, mailbox_id } = await findMessage(ctx, id);
  const isNamed = conversation ? sql<SqlBool>`m.thread_id = ${thread_id}` : hasIdIn([id]);
  await lockMessages(ctx, isNamed);
  await sql`
    update mail_messages m
    set folder = coalesce(nullif(m.previous_folder, m.folder), 'inbox'), previous_folder = null, trashed_at = null
    where m.workspace_id = ${ctx.workspace.id}
      and ${isNamed}
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
      and (m.folder in ('spam', 'trash')
        or (m.folder = 'archive' and m.previous_folder <> 'archive' and m.id = ${id}))`.execute(ctx.db);
  await publishMail(ctx, ctx.workspace.id, [mailbox_id]);
  return toListRow(await findMessage(ctx, id));
}

/** Returns messages in spam, trash or the archive to their recorded folders. Returns how many it has found. */
export async function restoreMessages(ctx: ReaderContext, { ids }: { ids: string[] }): Promise<number> {
  await lockMessages(ctx, hasIdIn(ids));
  const { rows } = await sql<{ mailbox_id: number }>`
    update mail_messages m
    set folder = coalesce(nullif(m.previous_folder, m.folder), 'inbox'), previous_folder = null, trashed_at = null
    where m.workspace_id = ${ctx.workspace.id} and ${hasIdIn(ids)}
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')} and m.folder in ('spam', 'trash', 'archive')
    returning m.mailbox_id`.execute(ctx.db);
  await publishMail(
    ctx,
    ctx.workspace.id,
    rows.map(({ mailbox_id }) => mailbox_id),
  );
  return rows.length;
}

async function findMessage(ctx: ReaderContext, id: string) {
  const row = await selectMessages(ctx).where('m.id', '=', id).executeTakeFirst();
  if (!row) throw new ApiError('resource_not_found');
  return row;
}
