import { ApiError } from '../../platform/process/errors.ts';
import { type ReaderContext, readableMailboxes } from '../mailboxes/mailbox-access.ts';
import { findMailThread } from '../receiving/find-mail-thread.ts';

/** A message that another one answers. */
export interface AnsweredMessage {
  id: string;
  mailbox_id: number;
  thread_id: number;
  internet_message_id: string | null;
  reference_ids: string[];
}

/** How many messages the header `References` names: the first one, which started the conversation, and the nearest ones. */
const MAX_REFERENCES = 50;

/** Returns a message that the caller may read and answer. Throws `resource_not_found`. */
export async function findAnswered(ctx: ReaderContext, id: string): Promise<AnsweredMessage> {
  const found = await ctx.db
    .selectFrom('mail_messages as m')
    .select(['m.id', 'm.mailbox_id', 'm.thread_id', 'm.internet_message_id', 'm.reference_ids'])
    .where('m.workspace_id', '=', ctx.workspace.id)
    .where('m.id', '=', id)
    .where('m.mailbox_id', 'in', readableMailboxes(ctx).select('b.id'))
    .executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  return found;
}

/** Returns the conversation of an answer: that of the message, or if it is written from another mailbox, the one that this has; null if it has none. */
export async function threadOfAnswer(
  ctx: ReaderContext,
  mailbox: { id: number; email: string; name: string },
  answered: AnsweredMessage,
  subject: string,
): Promise<number | null> {
  if (answered.mailbox_id === mailbox.id) return answered.thread_id;
  const references = referencesOf(answered);
  if (references.length === 0) return null;
  const found = await findMailThread(
    ctx,
    { workspaceId: ctx.workspace.id, mailboxId: mailbox.id },
    { messageId: '', contentDigest: '', references, subject, from: mailbox },
  );
  return found?.thread_id ?? null;
}

/** Returns what the header `References` of an answer names (RFC 5322 §3.6.4), without angle brackets. */
export function referencesOf({ reference_ids, internet_message_id }: AnsweredMessage): string[] {
  const all = [
    ...new Set([...reference_ids, ...(internet_message_id === null ? [] : [internet_message_id])]),
  ];
  return all.length <= MAX_REFERENCES ? all : [all[0]!, ...all.slice(1 - MAX_REFERENCES)];
}
