import type { Folder, MailThreadsMoved, MoveThreadsInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { moveMessages } from '../messages/move-messages.ts';
import { SHOWN_FOLDERS } from './thread-row.ts';

/** The folders that a conversation leaves when it moves, unless it is moved from spam or trash. */
const leaves: Record<z.infer<typeof MoveThreadsInput>['to'], readonly Folder[]> = {
  inbox: ['archive'],
  archive: ['inbox'],
  spam: ['inbox', 'archive'],
  trash: SHOWN_FOLDERS,
};

/** Moves the messages of conversations as {@link moveMessages} does, and returns which. Sent messages and drafts move only to the trash. */
export async function moveThreads(
  ctx: ReaderContext,
  { threads, to, from }: z.infer<typeof MoveThreadsInput>,
): Promise<MailThreadsMoved> {
  const { rows } = await sql<{ id: string; folder: Folder }>`
    select m.id, m.folder from mail_messages m
    where m.workspace_id = ${ctx.workspace.id} and m.thread_id = any(${threads}::bigint[])
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
      and m.folder = any(${from ? [from] : leaves[to]}::text[]) and m.folder <> ${to}
      and (${to} = 'trash' or 'drafts' not in (m.folder, coalesce(m.previous_folder, '')))
    order by m.id for update of m`.execute(ctx.db);
  if (rows.length > 0) await moveMessages(ctx, { ids: rows.map(({ id }) => id), to });
  return { object: 'mail_threads_moved', moved: rows };
}
