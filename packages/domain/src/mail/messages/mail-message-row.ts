import type { Folder, MailListRow, MailMessage, MailRecipient } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';

/** Returns the expression for `message_at` as text, always with six decimals (contract §2.1). */
export function messageAtOf(alias: string): string {
  return `to_char(${alias}.message_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

export const messageAtText = sql.raw<string>(messageAtOf('m'));

/** Returns the columns of {@link toListRow} beside `message_at`. */
export function listedColumns<Alias extends string>(alias: Alias) {
  return (
    [
      'id',
      'thread_id',
      'mailbox_id',
      'folder',
      'previous_folder',
      'subject',
      'from_email',
      'from_name',
      'to_recipients',
      'cc_recipients',
      'snippet',
      'is_read',
    ] as const
  ).map((column) => `${alias}.${column}` as const);
}

/** A row of {@link selectMessages}. */
export interface ListedRow extends MessageRow {
  previous_folder: Folder | null;
  from_email: string;
  from_name: string | null;
  snippet: string;
  is_read: boolean;
}

interface MessageRow {
  id: string;
  thread_id: number;
  mailbox_id: number;
  folder: Folder;
  subject: string;
  to_recipients: MailRecipient[];
  cc_recipients: MailRecipient[];
  message_at: string;
}

/** Selects the messages `m` that the caller may read, for {@link toListRow}. */
export function selectMessages(ctx: ReaderContext) {
  return ctx.db
    .selectFrom('mail_messages as m')
    .select([...listedColumns('m'), messageAtText.as('message_at')])
    .where('m.workspace_id', '=', ctx.workspace.id)
    .where('m.mailbox_id', 'in', readableMailboxes(ctx).select('b.id'));
}

/** Converts a row into the message that a saved draft returns. */
export function toMailMessage(row: MessageRow): MailMessage {
  return {
    id: row.id,
    object: 'mail_message',
    thread_id: row.thread_id,
    address_id: row.mailbox_id,
    folder: row.folder,
    subject: row.subject,
    to_recipients: row.to_recipients,
    cc_recipients: row.cc_recipients,
    message_at: row.message_at,
  };
}

/** Converts a row into an entry of a message list. */
export function toListRow(row: ListedRow): MailListRow {
  return {
    ...toMailMessage(row),
    from: { email: row.from_email, name: row.from_name },
    snippet: row.snippet,
    is_read: row.is_read,
    previous_folder: row.previous_folder,
  };
}
