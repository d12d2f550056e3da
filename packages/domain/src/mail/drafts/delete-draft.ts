import { ApiError } from '../../platform/process/errors.ts';
import { inWritableMailbox, type ReaderContext } from '../mailboxes/mailbox-access.ts';
import { deleteWritable } from '../messages/delete-messages.ts';

/** Deletes a draft permanently. Throws `resource_not_found`, `not_a_draft`. */
export async function deleteDraft(ctx: ReaderContext, { id }: { id: string }): Promise<void> {
  const deleted = await deleteWritable(ctx, { ids: [id], folder: 'drafts' });
  if (deleted > 0) return;
  const found = await ctx.db
    .selectFrom('mail_messages as m')
    .select('m.id')
    .where('m.workspace_id', '=', ctx.workspace.id)
    .where('m.id', '=', id)
    .where(inWritableMailbox(ctx))
    .executeTakeFirst();
  throw new ApiError(found ? 'not_a_draft' : 'resource_not_found');
}
