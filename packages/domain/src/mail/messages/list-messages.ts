import { type ListMessagesInput, type MailListRow, type MailPage, parseMailSearch } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { type ReaderContext, readableMailboxes, toIntegerId } from '../mailboxes/mailbox-access.ts';
import { searchMessages } from '../search/search-messages.ts';
import { type ListedRow, listedColumns, messageAtText, toListRow } from './mail-message-row.ts';
import { type Position, pageOfRows, readCursor } from './message-cursor.ts';

type Page = z.infer<typeof MailPage>;

/**
 * Returns a page of the messages of a folder, or of those that match a search, newest first. The cursor holds the position of the page's last row, so that rows which are added,
 * moved or deleted meanwhile cause neither gaps nor repetitions. Throws `resource_not_found` (mailbox), `invalid_cursor`, and
 * what a search throws.
 */
export async function listMessages(
  ctx: AccountContext,
  input: z.output<typeof ListMessagesInput>,
): Promise<Page> {
  const { address_id, folder, unread, limit, starting_after, q = '' } = input;
  const after = readCursor(starting_after);
  const toPage = (rows: MailListRow[]) => pageOfRows(rows, limit, (row) => row);
  if (q.trim() === '') return toPage(await readFolder(ctx, input, after));
  const found = await searchMessages(ctx, {
    search: parseMailSearch(q),
    mailboxes: await findReadable(ctx, address_id),
    folder,
    unread,
    after,
    rows: limit + 1,
  });
  return toPage(found);
}

/** Returns the rows of a page of a folder, and the next one. */
async function readFolder(
  ctx: ReaderContext,
  { address_id, folder = 'inbox', unread, limit }: z.output<typeof ListMessagesInput>,
  after: Position | null,
): Promise<MailListRow[]> {
  // A literal in the statement: the planner takes a parameter for a large number, and then plans each call anew.
  const perMailbox = limit <= 50 ? 51 : 101;
  let mailboxes = readableMailboxes(ctx);
  if (address_id !== undefined) mailboxes = mailboxes.where('b.id', '=', toIntegerId(address_id));
  // The newest of each mailbox, which an index has in order.
  const { sql: text, parameters } = mailboxes
    .innerJoinLateral(
      (from) => {
        let newest = from
          .selectFrom('mail_messages as l')
          .select(['l.message_at', ...listedColumns('l')])
          .where('l.workspace_id', '=', ctx.workspace.id)
          .whereRef('l.mailbox_id', '=', 'b.id')
          .where('l.folder', '=', folder);
        if (unread) newest = newest.where('l.is_read', '=', false);
        if (after)
          newest = newest.where(
            sql<boolean>`(l.message_at, l.id) < (${after.messageAt}::timestamptz, ${after.id})`,
          );
        return newest
          .orderBy('l.message_at', 'desc')
          .orderBy('l.id', 'desc')
          .limit(sql.lit(perMailbox))
          .as('m');
      },
      (join) => join.onTrue(),
    )
    .select([...listedColumns('m'), messageAtText.as('message_at')])
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(limit + 1)
    .compile();
  // Prepared, because to plan it takes longer than to read a page.
  const name = ['mail', address_id !== undefined, unread, after !== null, perMailbox].join(' ');
  const { rows: found } = await ctx.services.pool.query<ListedRow>({ name, text, values: [...parameters] });
  if (found.length === 0 && address_id !== undefined) await findReadable(ctx, address_id);
  return found.map(toListRow);
}

/** Returns the mailboxes that the caller may read, or one of them. Throws `resource_not_found` if that one is not among them. */
export async function findReadable(ctx: ReaderContext, address_id: number | undefined): Promise<number[]> {
  let query = readableMailboxes(ctx).select('b.id');
  if (address_id !== undefined) query = query.where('b.id', '=', toIntegerId(address_id));
  const found = await query.execute();
  if (address_id !== undefined && found.length === 0) throw new ApiError('resource_not_found');
  return found.map(({ id }) => id);
}
