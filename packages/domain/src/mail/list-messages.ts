import type { ListMessagesInput, MailListRow, MailPage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../platform/process/errors.ts';
import { listedColumns, messageAtText, toListRow } from './mail-message-row.ts';
import { type ReaderContext, readableMailboxes, toIntegerId } from './mailbox-access.ts';

type Page = z.infer<typeof MailPage>;

/**
 * Returns a page of the messages of a folder, newest first. The cursor holds the position of the page's last row, so that rows which are added,
 * moved or deleted meanwhile cause neither gaps nor repetitions. Throws `resource_not_found` (mailbox), `invalid_cursor`.
 */
export async function listMessages(
  ctx: ReaderContext,
  input: z.output<typeof ListMessagesInput>,
): Promise<Page> {
  const { address_id, folder = 'inbox', unread, limit, starting_after } = input;
  const after = starting_after === undefined ? null : readCursor(starting_after);
  let mailboxes = readableMailboxes(ctx);
  if (address_id !== undefined) mailboxes = mailboxes.where('b.id', '=', toIntegerId(address_id));
  // The newest of each mailbox, which an index has in order.
  const found = await mailboxes
    .innerJoinLateral(
      (from) => {
        let newest = from
          .selectFrom('mail_messages as l')
          .select(['l.message_at', ...listedColumns('l')])
          .where('l.workspace_id', '=', ctx.workspace.id)
          .whereRef('l.mailbox_id', '=', 'b.id')
          .where('l.folder', '=', folder);
        if (unread) newest = newest.where('l.is_read', '=', false);
        if (after)
          newest = newest.where(
            sql<boolean>`(l.message_at, l.id) < (${after.messageAt}::timestamptz, ${after.id})`,
          );
        return newest
          .orderBy('l.message_at', 'desc')
          .orderBy('l.id', 'desc')
          .limit(limit + 1)
          .as('m');
      },
      (join) => join.onTrue(),
    )
    .select([...listedColumns('m'), messageAtText.as('message_at')])
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(limit + 1)
    .execute();
  if (found.length === 0 && address_id !== undefined) await ensureReadable(ctx, address_id);
  return toPage(found.map(toListRow), limit);
}

/** Throws `resource_not_found` for a mailbox that the caller may not read. */
async function ensureReadable(ctx: ReaderContext, address_id: number): Promise<void> {
  const mailbox = await readableMailboxes(ctx)
    .select('b.id')
    .where('b.id', '=', toIntegerId(address_id))
    .executeTakeFirst();
  if (!mailbox) throw new ApiError('resource_not_found');
}

/** Returns the page whose rows were read with one more. */
function toPage(rows: MailListRow[], limit: number): Page {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > data.length;
  return {
    data,
    meta: { has_more, next_cursor: has_more && last ? writeCursor(last.message_at, last.id) : null },
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
  if (!messageAt || !id || !isTime(messageAt) || writeCursor(messageAt, id) !== cursor) {
    throw new ApiError('invalid_cursor');
  }
  return { messageAt, id };
}

/** Returns whether a text is a time of PostgreSQL, which has no year 0 and no 30 February. */
function isTime(text: string): boolean {
  const at = Date.parse(text);
  return text >= '0001' && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 23));
}
