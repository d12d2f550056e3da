import { sql } from 'kysely';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';

/** Locks the conversations that the caller may read. */
export async function lockThreads(ctx: ReaderContext, threads: readonly number[]) {
  const { rows } = await sql<{ id: number; mailbox_id: number }>`
    select t.id, t.mailbox_id from mail_threads t
    where t.workspace_id = ${ctx.workspace.id} and t.id = any(${threads}::bigint[])
      and t.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
    order by t.id for no key update of t`.execute(ctx.db);
  return rows;
}
