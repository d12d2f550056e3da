import type { filingFolders } from '@firmdesk/contract';
import { sql } from 'kysely';
import { sqlOf } from '../kernel/database.ts';
import { type ReaderContext, readableMailboxes } from './message-row.ts';

/** A folder, or `back`: each message to where it came from (contract §3.2). */
export type Destination = (typeof filingFolders)[number] | 'back';

/**
 * Moves messages that the caller may read; returns how many moved. The one way for a message to change its folder, so that
 * whoever leaves for archive, spam or trash is recorded with the folder that it left. Between spam and trash the older record
 * stays, for neither is a place to return to. A draft goes nowhere but to the trash, and from there back.
 */
export async function moveMessages(
  ctx: ReaderContext,
  { ids, to }: { ids: string[]; to: Destination },
): Promise<number> {
  const { numAffectedRows } = await sql`
    update mail_messages m set ${to === 'back' ? back : into(to)}
    where m.id = any(${ids}) and m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
      and ${
        to === 'back'
          ? sql`m.folder in ('archive', 'spam', 'trash')`
          : sql`m.folder <> ${to} and (${to} = 'trash' or 'drafts' not in (m.folder, coalesce(m.previous_folder, '')))`
      }`.execute(sqlOf(ctx.em));
  return Number(numAffectedRows);
}

const back = sql`folder = coalesce(nullif(m.previous_folder, m.folder), 'inbox'), previous_folder = null`;

function into(folder: string) {
  return sql`folder = ${folder}, previous_folder = case
    when ${folder} = 'inbox' then null
    when ${folder} in ('spam', 'trash') and m.folder in ('spam', 'trash') then m.previous_folder
    else m.folder end`;
}
