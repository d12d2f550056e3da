import type { ListMessagesInput, MailPage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../platform/process/errors.ts';
import { selectMessages, toListRow } from './mail-message-row.ts';
import { type ReaderContext, readableMailboxes, toIntegerId } from './mailbox-access.ts';

type Page = z.infer<typeof MailPage>;

/**
 * Returns a page of a folder, newest first. The cursor holds the position of the page's last row, so that rows which are added,
 * moved or deleted meanwhile cause neither gaps nor repetitions. Throws `resource_not_found` (mailbox), `invalid_cursor`.
 */
export async function listMessages(
  ctx: ReaderContext,
  input: z.infer<typeof ListMessagesInput>,
): Promise<Page> {
  const mailbox = await readableMailboxes(ctx)
    .select('b.id')
    .where('b.id', '=', toIntegerId(input.address_id))
    .executeTakeFirst();
  if (!mailbox) throw new ApiError('resource_not_found');
  let query = selectMessages(ctx)
    .where('m.mailbox_id', '=', mailbox.id)
    .where('m.folder', '=', input.folder)
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(input.limit + 1);
  if (input.starting_after !== undefined) {
    const { messageAt, id } = readCursor(input.starting_after);
    query = query.where(sql<boolean>`(m.message_at, m.id) < (${messageAt}::timestamptz, ${id})`);
  }
  const rows = (await query.execute()).map(toListRow);
  const page = rows.slice(0, input.limit);
  const hasMore = rows.length > page.length;
  const last = page.at(-1);
  return {
    data: page,
    meta: { has_more: hasMore, next_cursor: hasMore && last ? writeCursor(last.message_at, last.id) : null },
  };
}

function writeCursor(messageAt: string, id: string): string {
  return Buffer.from(`${messageAt} ${id}`).toString('base64url');
}

function readCursor(cursor: string): { messageAt: string; id: string } {
  const [, messageAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (msg_\w+)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  if (!messageAt || !id || Number.isNaN(Date.parse(messageAt)) || writeCursor(messageAt, id) !== cursor) {
    throw new ApiError('invalid_cursor');
  }
  return { messageAt, id };
}
