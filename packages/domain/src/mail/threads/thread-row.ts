import {
  MAX_THREAD_MESSAGES,
  type MailRecipient,
  type MailThreadRow,
  type MailView,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { ReaderContext } from '../mailboxes/mailbox-access.ts';
import { type ListedRow, toListRow } from '../messages/mail-message-row.ts';

/** The folders whose messages a conversation shows when it is opened from elsewhere. */
export const SHOWN_FOLDERS = ['inbox', 'drafts', 'sent', 'archive'] as const;

/** Returns the folders of which a view shows messages: spam and trash show only their own. */
export function foldersBeside(view: MailView): readonly string[] {
  return view === 'spam' || view === 'trash' ? [view] : SHOWN_FOLDERS;
}

/** How many of those who wrote a row names. */
const MAX_PARTICIPANTS = 4;

/** The marks of a thread `t` of the firm as columns. */
export const markColumns = (workspaceId: number) => sql<ThreadMarks>`
  t.is_starred, t.snoozed_until,
  (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name, 'color', g.color) order by lower(g.name), g.id), '[]')
    from mail_thread_tags x
    join tags g on g.workspace_id = x.workspace_id and g.id = x.tag_id and g.deleted_at is null
    where x.workspace_id = ${workspaceId} and x.thread_id = t.id) as tags`;

export interface ThreadMarks {
  is_starred: boolean;
  snoozed_until: string | null;
  tags: MailThreadRow['tags'];
}

/** A row of a list of conversations, with its newest message. */
export interface ListedThread extends ListedRow, ThreadMarks {}

/** What a row shows of the messages of a conversation. */
interface ThreadSummary {
  thread_id: number;
  messages: number;
  unread: number;
  drafts: number;
  has_files: boolean;
  /** Oldest first. */
  senders: MailRecipient[];
}

/** Returns rows as clients get them: with the counts of their conversations. */
export async function toThreadRows(
  ctx: ReaderContext,
  rows: readonly ListedThread[],
  view: MailView,
): Promise<MailThreadRow[]> {
  const summaries = await summarize(ctx, rows, foldersBeside(view));
  return rows.map((row) => {
    const { senders, ...counts } = summaries.get(row.thread_id)!;
    return {
      object: 'mail_thread',
      id: row.thread_id,
      address_id: row.mailbox_id,
      message: toListRow(row),
      messages: counts.messages,
      unread: counts.unread,
      drafts: counts.drafts,
      has_files: counts.has_files,
      participants: participantsOf(senders),
      is_starred: row.is_starred,
      snoozed_until: row.snoozed_until,
      tags: row.tags,
    };
  });
}

async function summarize(
  { db, workspace }: ReaderContext,
  rows: readonly ListedThread[],
  folders: readonly string[],
): Promise<Map<number, ThreadSummary>> {
  const threads = rows.map(({ thread_id }) => thread_id);
  const found = await sql<ThreadSummary>`
    select i.thread_id, s.* from unnest(${threads}::bigint[]) as i(thread_id)
    cross join lateral (
      select count(*)::integer as messages, (count(*) filter (where not n.is_read))::integer as unread,
        (count(*) filter (where n.folder = 'drafts'))::integer as drafts, coalesce(bool_or(n.has_files), false) as has_files,
        coalesce(jsonb_agg(jsonb_build_object('email', n.from_email, 'name', n.from_name) order by n.message_at, n.id)
          filter (where n.folder <> 'drafts'), '[]') as senders
      from (
        select m.id, m.is_read, m.folder, m.from_email, m.from_name, m.message_at, m.attachments <> '[]' as has_files
        from mail_messages m
        where m.workspace_id = ${workspace.id} and m.thread_id = i.thread_id and m.folder = any(${folders}::text[])
        order by m.message_at desc, m.id desc limit ${MAX_THREAD_MESSAGES}
      ) n
    ) s`.execute(db);
  return new Map(found.rows.map((row) => [row.thread_id, row]));
}

/** Returns the first of those who wrote, and the last ones, each once. */
function participantsOf(senders: readonly MailRecipient[]): MailRecipient[] {
  const each = [...new Map(senders.map((sender) => [sender.email.toLowerCase(), sender])).values()];
  return each.length <= MAX_PARTICIPANTS ? each : [each[0]!, ...each.slice(1 - MAX_PARTICIPANTS)];
}
