import type { filingFolders } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { publishMail } from '../streams/publish-mail.ts';
import { hasIdIn, lockMessages } from './lock-messages.ts';

type FilingFolder = (typeof filingFolders)[number];

/**
 * Moves messages that the caller may read to a folder, and returns the number of messages that moved. A message that moves to
 * archive, spam or trash records the folder that it leaves. Spam and trash are never recorded: a message that leaves them keeps
 * its earlier record. A draft can only be moved to the trash, and from there only be restored.
 */
export async function moveMessages(
  ctx: ReaderContext,
  { ids, to }: { ids: string[]; to: FilingFolder },
): Promise<number> {
  await lockMessages(ctx, hasIdIn(ids));
  const { rows } = await sql<{ mailbox_id: number }>`
    update mail_messages m set folder = ${to}, previous_folder = case
      when ${to} = 'inbox' then null
      when m.folder in ('spam', 'trash') then nullif(m.previous_folder, ${to})
      else m.folder end,
      trashed_at = ${to === 'trash' ? ctx.now.toISOString() : null}
    where m.workspace_id = ${ctx.workspace.id} and m.id = any(${ids})
      and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')} and m.folder <> ${to}
      and (${to} = 'trash' or 'drafts' not in (m.folder, coalesce(m.previous_folder, '')))
    returning m.mailbox_id`.execute(ctx.db);
  await publishMail(
    ctx,
    ctx.workspace.id,
    rows.map(({ mailbox_id }) => mailbox_id),
  );
  return rows.length;
}
