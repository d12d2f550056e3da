import type { MarkMessagesInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { hasIdIn, lockMessages } from './lock-messages.ts';

/** Marks messages read or unread, for every reader of their mailboxes. Returns the number of messages that changed. */
export async function markMessages(
  ctx: ReaderContext,
  input: z.infer<typeof MarkMessagesInput>,
): Promise<number> {
  await lockMessages(ctx, hasIdIn(input.ids));
  const changed = await ctx.db
    .updateTable('mail_messages')
    .set({ is_read: input.is_read })
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', 'in', input.ids)
    .where('is_read', '!=', input.is_read)
    .where('mailbox_id', 'in', readableMailboxes(ctx).select('b.id'))
    .returning('mailbox_id')
    .execute();
  await publishMail(
    ctx,
    ctx.workspace.id,
    changed.map(({ mailbox_id }) => mailbox_id),
  );
  return changed.length;
}
