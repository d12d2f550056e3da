import type { ListThreadsInput, MailThreadPage, MailView } from '@firmdesk/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { z } from 'zod';
import { type ReaderContext, toIntegerId } from '../mailboxes/mailbox-access.ts';
import { findReadable } from '../messages/list-messages.ts';
import { listedColumns, messageAtOf } from '../messages/mail-message-row.ts';
import { type Position, pageOfRows, readCursor } from '../messages/message-cursor.ts';
import { type ListedThread, markColumns, SHOWN_FOLDERS, toThreadRows } from './thread-row.ts';

type Input = z.output<typeof ListThreadsInput>;

const columns = sql.raw([...listedColumns('m'), `${messageAtOf('m')} as message_at`].join(', '));

/**
 * Returns a page of the conversations of a view of a mailbox, by their newest message in it, newest first. A conversation that gets a message
 * between two pages moves to the first one. Throws `resource_not_found` (mailbox), `invalid_cursor`.
 */
export async function listThreads(ctx: ReaderContext, input: Input): Promise<z.infer<typeof MailThreadPage>> {
  const { view, tag, limit } = input;
  const after = readCursor(input.starting_after);
  const [mailboxId] = await findReadable(ctx, input.address_id);
  const isMarked = tag !== undefined || view === 'starred' || view === 'snoozed';
  const page = { input, mailboxId: mailboxId!, after };
  const found = await (isMarked ? ofMarked(ctx, page) : ofFolder(ctx, page));
  const { data, meta } = pageOfRows(found, limit, (row) => row);
  return { data: await toThreadRows(ctx, data, tag === undefined ? view : 'inbox'), meta };
}

interface Page {
  input: Input;
  mailboxId: number;
  after: Position | null;
}

/** The condition that a message `m` is behind the last row of the page before, and unread if only such are asked for. */
function isInPage({ input, after }: Page): RawBuilder<SqlBool> {
  const isBehind =
    after === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`(m.message_at, m.id) < (${after.messageAt}::timestamptz, ${after.id})`;
  return input.unread ? sql<SqlBool>`${isBehind} and not m.is_read` : isBehind;
}

/** Reads the messages of a folder, newest first, without those that have a newer one of their conversation in it. */
async function ofFolder({ db, workspace, now }: ReaderContext, page: Page): Promise<ListedThread[]> {
  const { input, mailboxId } = page;
  const isAwake =
    input.view === 'inbox'
      ? sql`(t.snoozed_until is null or t.snoozed_until <= ${now.toISOString()})`
      : sql`true`;
  const newerOnes = input.unread ? sql`and not n.is_read` : sql``;
  const { rows } = await sql<ListedThread>`
    select ${columns}, ${markColumns(workspace.id)}
    from mail_messages m join mail_threads t on t.workspace_id = m.workspace_id and t.id = m.thread_id
    where m.workspace_id = ${workspace.id} and t.workspace_id = ${workspace.id}
      and m.mailbox_id = ${mailboxId} and m.folder = ${input.view} and ${isInPage(page)} and ${isAwake}
      and not exists (
        select from mail_messages n
        where n.workspace_id = ${workspace.id} and n.thread_id = m.thread_id and n.folder = m.folder
          and (n.message_at, n.id) > (m.message_at, m.id) ${newerOnes})
    order by m.message_at desc, m.id desc
    limit ${input.limit + 1}`.execute(db);
  return rows;
}

/** Reads the conversations with a mark, each with its newest message outside of spam and trash. */
async function ofMarked({ db, workspace }: ReaderContext, page: Page): Promise<ListedThread[]> {
  const { input, mailboxId } = page;
  const { rows } = await sql<ListedThread>`
    select ${columns}, ${markColumns(workspace.id)}
    from mail_threads t cross join lateral (
      select n.* from mail_messages n
      where n.workspace_id = ${workspace.id} and n.thread_id = t.id and n.folder = any(${SHOWN_FOLDERS}::text[])
      order by n.message_at desc, n.id desc limit 1
    ) m
    where t.workspace_id = ${workspace.id} and t.mailbox_id = ${mailboxId} and ${isMarked(workspace.id, input)} and ${isInPage(page)}
    order by m.message_at desc, m.id desc
    limit ${input.limit + 1}`.execute(db);
  return rows;
}

function isMarked(
  workspaceId: number,
  { view, tag }: { view: MailView; tag?: number | undefined },
): RawBuilder<SqlBool> {
  if (tag !== undefined) {
    return sql`exists (select from mail_thread_tags x
      where x.workspace_id = ${workspaceId} and x.thread_id = t.id and x.tag_id = ${toIntegerId(tag)})`;
  }
  return view === 'starred' ? sql`t.is_starred` : sql`t.snoozed_until is not null`;
}
