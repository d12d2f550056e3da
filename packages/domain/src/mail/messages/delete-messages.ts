import type { Folder } from '@firmdesk/contract';
import type { OperationContext } from '../../platform/database/context.ts';
import { discardMessageFiles } from '../files/set-message-files.ts';
import { inWritableMailbox, type ReaderContext } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { hasIdIn, lockMessages } from './lock-messages.ts';
import { moveMessages } from './move-messages.ts';

/**
 * Moves messages that the caller may read to the trash; those that are there already are deleted permanently, if the caller may write from
 * their mailbox. Returns the number of messages that moved or were deleted.
 */
export async function deleteMessages(ctx: ReaderContext, { ids }: { ids: string[] }): Promise<number> {
  await lockMessages(ctx, hasIdIn(ids));
  // First those in the trash, so that no message is moved there and deleted by the same call.
  const deleted = await deleteWritable(ctx, { ids, folder: 'trash' });
  return deleted + (await moveMessages(ctx, { ids, to: 'trash' }));
}

/** Deletes the messages of a folder whose mailboxes the caller may write from, with their files. Returns how many. */
export async function deleteWritable(
  ctx: ReaderContext,
  { ids, folder }: { ids: readonly string[]; folder: Folder },
): Promise<number> {
  const { db, workspace } = ctx;
  const found = await db
    .selectFrom('mail_messages as m')
    .select(['m.id', 'm.mailbox_id'])
    .where('m.workspace_id', '=', workspace.id)
    .where('m.id', 'in', ids)
    .where('m.folder', '=', folder)
    .where(inWritableMailbox(ctx))
    .orderBy('m.id')
    .forUpdate()
    .execute();
  if (found.length === 0) return 0;
  await deleteLocked(ctx, workspace.id, found);
  return found.length;
}

/** Deletes locked messages of a firm, with their files. */
export async function deleteLocked(
  ctx: OperationContext,
  workspaceId: number,
  messages: readonly { id: string; mailbox_id: number }[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  await discardMessageFiles(ctx, workspaceId, ids);
  await ctx.db
    .deleteFrom('mail_messages')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .execute();
  await publishMail(
    ctx,
    workspaceId,
    messages.map(({ mailbox_id }) => mailbox_id),
  );
}
