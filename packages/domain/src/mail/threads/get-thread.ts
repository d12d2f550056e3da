import { MAX_THREAD_MESSAGES, type OpenMailThread, type ThreadMessage } from '@firmdesk/contract';
import { sql } from 'kysely';
import { ApiError } from '../../platform/process/errors.ts';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { selectMessages, toListRow } from '../messages/mail-message-row.ts';
import { ticketOf } from '../messages/open-ticket.ts';
import { foldersBeside, markColumns, type ThreadMarks } from './thread-row.ts';

/** The account that has sent message `m`, as the contract has it. */
function authorOf(workspaceId: number) {
  return sql<ThreadMessage['author']>`(
    select jsonb_build_object('id', u.id, 'name', u.name) from outgoing_messages o join users u on u.id = o.author_id
    where o.workspace_id = ${workspaceId} and o.id = m.id)`.as('author');
}

/** Returns the conversation of a message, without the bodies of its messages. Throws `resource_not_found`. */
export async function getThread(ctx: ReaderContext, input: { id: string }): Promise<OpenMailThread> {
  const { db, workspace } = ctx;
  const opened = await selectMessages(ctx).where('m.id', '=', input.id).executeTakeFirst();
  if (!opened) throw new ApiError('resource_not_found');
  const { thread_id, mailbox_id, folder } = opened;
  const marks = await sql<ThreadMarks>`
    select ${markColumns(workspace.id)} from mail_threads t where t.workspace_id = ${workspace.id} and t.id = ${thread_id}`.execute(
    db,
  );
  const newest = await selectMessages(ctx)
    .select([
      'm.answers_id',
      sql<boolean>`m.attachments <> '[]'`.as('has_files'),
      authorOf(workspace.id),
      ticketOf(workspace.id).as('ticket'),
    ])
    .where('m.thread_id', '=', thread_id)
    .where('m.folder', 'in', foldersBeside(folder) as (typeof folder)[])
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(MAX_THREAD_MESSAGES + 1)
    .execute();
  return {
    object: 'mail_thread',
    id: thread_id,
    address_id: mailbox_id,
    has_earlier: newest.length > MAX_THREAD_MESSAGES,
    messages: newest
      .slice(0, MAX_THREAD_MESSAGES)
      .reverse()
      .map((row) => ({
        ...toListRow(row),
        in_reply_to: row.answers_id,
        has_files: row.has_files,
        author: row.author,
        ticket: row.ticket,
      })),
    ...marks.rows[0]!,
  };
}
