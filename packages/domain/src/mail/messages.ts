import type { ListMessagesInput, MailPage, MarkMessagesInput, OpenMailMessage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import {
  integerId,
  inWritableMailbox,
  type ReaderContext,
  readableMailboxes,
  selectMessages,
  toListRow,
} from './message-row.ts';

type Page = z.infer<typeof MailPage>;

/**
 * A page of a folder, newest first. The cursor carries the place of its page's last row, so a row that is added, moved or
 * deleted meanwhile breaks no walk. Raises `resource_not_found` (mailbox), `invalid_cursor`.
 */
export async function listMessages(
  ctx: ReaderContext,
  input: z.infer<typeof ListMessagesInput>,
): Promise<Page> {
  const mailbox = await readableMailboxes(ctx)
    .select('b.id')
    .where('b.id', '=', integerId(input.address_id))
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
    meta: { has_more: hasMore, next_cursor: hasMore && last ? cursorOf(last.message_at, last.id) : null },
  };
}

function cursorOf(messageAt: string, id: string): string {
  return Buffer.from(`${messageAt} ${id}`).toString('base64url');
}

function readCursor(cursor: string): { messageAt: string; id: string } {
  const [, messageAt, id] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) (msg_\w+)$/.exec(
      Buffer.from(cursor, 'base64url').toString(),
    ) ?? [];
  if (!messageAt || !id || Number.isNaN(Date.parse(messageAt)) || cursorOf(messageAt, id) !== cursor) {
    throw new ApiError('invalid_cursor');
  }
  return { messageAt, id };
}

/** One message with its body. Reading it does not mark it. Raises `resource_not_found`. */
export async function getMessage(ctx: ReaderContext, input: { id: string }): Promise<OpenMailMessage> {
  const row = await selectMessages(ctx)
    .select(['m.bcc_recipients', 'm.body'])
    .where('m.id', '=', input.id)
    .executeTakeFirst();
  if (!row) throw new ApiError('resource_not_found');
  return { ...toListRow(row), bcc_recipients: row.bcc_recipients, body: row.body };
}

/** Marks messages read or unread, for everybody who reads the mailbox; returns how many changed. */
export async function markMessages(
  ctx: ReaderContext,
  input: z.infer<typeof MarkMessagesInput>,
): Promise<number> {
  const { numUpdatedRows } = await sqlOf(ctx.em)
    .updateTable('mail_messages')
    .set({ is_read: input.is_read })
    .where('id', 'in', input.ids)
    .where('is_read', '!=', input.is_read)
    .where('mailbox_id', 'in', readableMailboxes(ctx).select('b.id'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Erases a draft for good. Raises `resource_not_found`, `not_a_draft`. */
export async function deleteDraft(ctx: ReaderContext, { id }: { id: string }): Promise<void> {
  const db = sqlOf(ctx.em);
  const { numAffectedRows } = await sql`
    delete from mail_messages m where m.id = ${id} and m.folder = 'drafts' and ${inWritableMailbox(ctx)}`.execute(
    db,
  );
  if (numAffectedRows === 1n) return;
  const { rows } = await sql`
    select from mail_messages m where m.id = ${id} and ${inWritableMailbox(ctx)}`.execute(db);
  throw new ApiError(rows.length > 0 ? 'not_a_draft' : 'resource_not_found');
}
