import type { Folder, MailListRow, MailMessage, MailRecipient } from '@firmdesk/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import { belongsTo, MAILBOX_READERS } from '../access/policy.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';

/** `message_at` as the contract writes it: always six decimals (§2.1). */
export const wireMessageAt = sql<string>`to_char(m.message_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const columns = [
  'm.id',
  'm.thread_id',
  'm.mailbox_id',
  'm.folder',
  'm.previous_folder',
  'm.subject',
  'm.from_email',
  'm.from_name',
  'm.to_recipients',
  'm.cc_recipients',
  'm.snippet',
  'm.is_read',
] as const;

/** What {@link selectMessages} selects. */
export interface MessageRow {
  id: string;
  thread_id: number;
  mailbox_id: number;
  folder: Folder;
  previous_folder: Folder | null;
  subject: string;
  from_email: string;
  from_name: string | null;
  to_recipients: MailRecipient[];
  cc_recipients: MailRecipient[];
  snippet: string;
  is_read: boolean;
  message_at: string;
}

/** Whose mail it is about, and where: what `me` calls bring. */
export interface ReaderContext extends OperationContext {
  identity: { user: { id: string } };
  workspace: { id: number };
}

/** An integer as an id; 0, which nothing has, where PostgreSQL's `integer` does not reach. */
export function integerId(value: number): number {
  return Math.abs(value) <= 2_147_483_647 ? value : 0;
}

/** The mailboxes that the caller may read in the workspace of the call; none once it does not belong there. */
export function readableMailboxes({ em, identity, workspace }: ReaderContext) {
  return sqlOf(em)
    .selectFrom('mailboxes as b')
    .innerJoin('mailbox_members as r', 'r.mailbox_id', 'b.id')
    .where('b.workspace_id', '=', workspace.id)
    .where('r.user_id', '=', identity.user.id)
    .where(belongsTo(identity.user.id, workspace.id));
}

/** The messages `m` that the caller may read, as list rows. */
export function selectMessages(ctx: ReaderContext) {
  return sqlOf(ctx.em)
    .selectFrom('mail_messages as m')
    .select([...columns, wireMessageAt.as('message_at')])
    .where('m.mailbox_id', 'in', readableMailboxes(ctx).select('b.id'));
}

/** Whether the caller may write from the mailbox that a message `m` lies in. */
export function inWritableMailbox({ identity, workspace }: ReaderContext): Expression<SqlBool> {
  return sql<SqlBool>`exists (
    select from ${sql.raw(MAILBOX_READERS)}
    where b.id = m.mailbox_id and b.workspace_id = ${workspace.id} and r.user_id = ${identity.user.id} and r.can_write)`;
}

export function toMailMessage(row: Omit<MessageRow, keyof ListFields>): MailMessage {
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

type ListFields = Pick<MessageRow, 'from_email' | 'from_name' | 'snippet' | 'is_read' | 'previous_folder'>;

export function toListRow(row: MessageRow): MailListRow {
  return {
    ...toMailMessage(row),
    from: { email: row.from_email, name: row.from_name },
    snippet: row.snippet,
    is_read: row.is_read,
    previous_folder: row.previous_folder,
  };
}
