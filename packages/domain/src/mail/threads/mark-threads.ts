import { MAX_THREAD_TAGS, type MarkThreadsInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { findTags } from '../../access/workspaces/find-tags.ts';
import { invalidField } from '../../platform/process/errors.ts';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { lockThreads } from './lock-threads.ts';

/**
 * Marks the messages of conversations read or unread, and the conversations with a star and tags, for all readers of their mailboxes. Returns
 * how many conversations it found. Throws `validation_failed` for a tag that is not of the firm, or too many tags.
 */
export async function markThreads(
  ctx: ReaderContext,
  { threads, is_read, is_starred, add_tags, remove_tags }: z.output<typeof MarkThreadsInput>,
): Promise<number> {
  const { db, workspace } = ctx;
  const tags = await findTags(ctx, add_tags, 'add_tags');
  const found = await lockThreads(ctx, threads);
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return 0;
  if (is_read !== undefined) await markRead(ctx, ids, is_read);
  if (is_starred !== undefined) {
    await sql`update mail_threads set is_starred = ${is_starred}
      where workspace_id = ${workspace.id} and id = any(${ids}::bigint[])`.execute(db);
  }
  if (remove_tags.length > 0) {
    await sql`delete from mail_thread_tags
      where workspace_id = ${workspace.id} and thread_id = any(${ids}::bigint[]) and tag_id = any(${remove_tags}::bigint[])`.execute(
      db,
    );
  }
  if (tags.length > 0) {
    const rows = ids.flatMap((thread_id) =>
      tags.map(({ id }) => ({ workspace_id: workspace.id, thread_id, tag_id: id })),
    );
    await db
      .insertInto('mail_thread_tags')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await checkTags(ctx, ids);
  }
  await publishMail(
    ctx,
    workspace.id,
    found.map(({ mailbox_id }) => mailbox_id),
  );
  return found.length;
}

/** Marks all messages read, or the newest received one unread, which brings the conversation back to mind. */
export async function markRead(
  { db, workspace }: { db: ReaderContext['db']; workspace: { id: number } },
  threads: readonly number[],
  isRead: boolean,
): Promise<void> {
  const chosen = isRead
    ? sql`select m.id from mail_messages m
        where m.workspace_id = ${workspace.id} and m.thread_id = any(${threads}::bigint[]) and not m.is_read`
    : sql`select newest.id from unnest(${threads}::bigint[]) as i(thread_id) cross join lateral (
        select n.id from mail_messages n
        where n.workspace_id = ${workspace.id} and n.thread_id = i.thread_id and n.folder not in ('drafts', 'sent')
        order by n.message_at desc, n.id desc limit 1) newest`;
  // Only what was locked, and in the order in which other calls lock messages: the update sees messages that have become unread since.
  const { rows } = await sql<{ id: string }>`
    select m.id from mail_messages m where m.workspace_id = ${workspace.id} and m.id in (${chosen})
    order by m.id for no key update of m`.execute(db);
  await sql`update mail_messages set is_read = ${isRead}
    where workspace_id = ${workspace.id} and id = any(${rows.map(({ id }) => id)})`.execute(db);
}

async function checkTags({ db, workspace }: ReaderContext, threads: readonly number[]): Promise<void> {
  const { rows } = await sql`
    select from mail_thread_tags where workspace_id = ${workspace.id} and thread_id = any(${threads}::bigint[])
    group by thread_id having count(*) > ${MAX_THREAD_TAGS} limit 1`.execute(db);
  if (rows.length > 0)
    throw invalidField('add_tags', `must leave each conversation at most ${MAX_THREAD_TAGS} tags`);
}
