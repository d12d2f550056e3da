import type { ListMailFromInput, MailListRow } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { selectMessages, toListRow } from './mail-message-row.ts';

/** Returns the newest messages from an address in all mailboxes that the caller may read, without spam and trash. */
export async function listMailFrom(
  ctx: ReaderContext,
  { address, limit }: z.output<typeof ListMailFromInput>,
): Promise<MailListRow[]> {
  const rows = await selectMessages(ctx)
    .where(sql<boolean>`lower(m.from_email) = lower(${address})`)
    .where('m.folder', 'in', ['inbox', 'archive', 'sent'])
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toListRow);
}
