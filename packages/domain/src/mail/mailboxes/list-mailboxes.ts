import type { Mailbox } from '@firmdesk/contract';
import { type ReaderContext, readableMailboxes } from './mailbox-access.ts';

/** Returns the mailboxes that the caller may read, by address, each with its number of unread messages. */
export async function listMailboxes(ctx: ReaderContext): Promise<Mailbox[]> {
  const rows = await readableMailboxes(ctx)
    .select(['b.id', 'b.email', 'b.name', 'b.can_write'])
    .select((where) =>
      where
        .selectFrom('mail_messages as m')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('m.workspace_id', '=', ctx.workspace.id)
        .whereRef('m.mailbox_id', '=', 'b.id')
        .where('m.folder', '=', 'inbox')
        .where('m.is_read', '=', false)
        .as('unread'),
    )
    .orderBy('b.email')
    .execute();
  return rows.map(({ unread, ...row }) => ({ object: 'mailbox', ...row, unread: unread ?? 0 }));
}
