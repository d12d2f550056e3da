import { MAX_TRIAL_ROWS, type RuleTrial, TRIED_MESSAGES, type TryRuleInput } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import { type ReaderContext, writableMailbox } from '../mailboxes/mailbox-access.ts';
import { selectMessages, toListRow } from '../messages/mail-message-row.ts';
import { searchLines } from '../search/mail-search-text.ts';
import { MAX_RULED_TEXT, matchesRule } from './mail-rule.ts';

/** The lines of a search text that rules look at. */
const LINES = Math.max(...Object.values(searchLines));
/** The folders of received mail. */
const RECEIVED = ['inbox', 'archive', 'spam', 'trash'];

/** Returns which of the newest received messages of a mailbox a rule would match. Throws `resource_not_found` if the caller may not write from it. */
export async function tryRule(
  ctx: ReaderContext,
  { address_id, ...conditions }: z.output<typeof TryRuleInput>,
): Promise<RuleTrial> {
  const { db, workspace } = ctx;
  const mailbox = await writableMailbox(ctx, address_id).executeTakeFirst();
  if (!mailbox) throw new ApiError('resource_not_found');
  const { rows } = await sql<{ id: string; search_text: string; has_files: boolean }>`
    select n.id, n.has_files, (
      select string_agg(left(split_part(n.search_text, chr(10), line), ${MAX_RULED_TEXT}::integer), chr(10) order by line)
      from generate_series(1, ${LINES}::integer) as line) as search_text
    from unnest(${RECEIVED}::text[]) as f (folder) cross join lateral (
      select m.id, m.message_at, m.attachments <> '[]' as has_files, coalesce(m.search_text, '') as search_text from mail_messages m
      where m.workspace_id = ${workspace.id} and m.mailbox_id = ${mailbox.id} and m.folder = f.folder
      order by m.message_at desc, m.id desc limit ${TRIED_MESSAGES}) n
    order by n.message_at desc, n.id desc limit ${TRIED_MESSAGES}`.execute(db);
  const matched = rows
    .filter(({ search_text, has_files }) =>
      matchesRule(conditions, { searchText: search_text, hasFiles: has_files }),
    )
    .map(({ id }) => id);
  const listed = await selectMessages(ctx)
    .where('m.id', 'in', ['', ...matched.slice(0, MAX_TRIAL_ROWS)])
    .orderBy('m.message_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute();
  return {
    object: 'mail_rule_trial',
    examined: rows.length,
    matched: matched.length,
    messages: listed.map(toListRow),
  };
}
