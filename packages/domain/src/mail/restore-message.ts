import type { MailListRow, RestoreMessageInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../kernel/errors.ts';
import { type ReaderContext, selectMessages, toListRow } from './message-row.ts';
import { moveMessages } from './move-messages.ts';

/**
 * Contract §4.3: a message in trash, spam or archive goes back to the folder that is recorded on it, or to the inbox; with
 * `conversation` so does each message of the exchange that the caller may read. One that lies elsewhere stays. Answers the
 * addressed message. Raises `resource_not_found`.
 */
export async function restoreMessage(
  ctx: ReaderContext,
  input: z.infer<typeof RestoreMessageInput>,
): Promise<MailListRow> {
  const message = await findMessage(ctx, input.id);
  const ids = input.conversation ? await conversation(ctx, message.thread_id) : [message.id];
  await moveMessages(ctx, { ids, to: 'back' });
  return toListRow(await findMessage(ctx, input.id));
}

async function findMessage(ctx: ReaderContext, id: string) {
  const row = await selectMessages(ctx).where('m.id', '=', id).executeTakeFirst();
  if (!row) throw new ApiError('resource_not_found');
  return row;
}

async function conversation(ctx: ReaderContext, threadId: number): Promise<string[]> {
  const rows = await selectMessages(ctx)
    .clearSelect()
    .select('m.id')
    .where('m.thread_id', '=', threadId)
    .execute();
  return rows.map(({ id }) => id);
}
