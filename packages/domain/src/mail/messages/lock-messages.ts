import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';

/** Locks messages `m` that the caller may read, in the order of their ids: an update locks them in any order, in which two calls could wait for each other. */
export async function lockMessages(ctx: ReaderContext, condition: RawBuilder<SqlBool>): Promise<void> {
  await sql`
    select from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and ${condition}
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
    order by m.id for update of m`.execute(ctx.db);
}

/** The condition that a message `m` has one of some ids. */
export const hasIdIn = (ids: readonly string[]) => sql<SqlBool>`m.id = any(${ids})`;
