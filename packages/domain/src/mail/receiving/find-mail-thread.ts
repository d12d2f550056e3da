import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { MailboxRef } from '../mailboxes/mailbox-directory.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';

/** A reply without references joins a conversation with its subject that is at most this old. */
const SUBJECT_DAYS = 30;

/**
 * Returns the conversation (thread) in a mailbox to which a message belongs, or null if it starts a new one. The first match wins:
 *
 * 1. the conversation of another copy of it, such as the one that a mailing list changed: with its id and its subject;
 * 2. the conversation of the nearest message to which it replies;
 * 3. the conversation of a message that replies to it, or to one of the same messages (messages can arrive out of order);
 * 4. if it has a reply subject (`Re: …`, also of other languages) and no references, a recent conversation with that subject and its
 *    sender.
 */
export async function findMailThread(
  { db, now }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  { messageId, references, subject, from }: Pick<ParsedMail, 'messageId' | 'references' | 'subject' | 'from'>,
): Promise<number | null> {
  const relatedIds = [...references, messageId];
  const since = new Date(now.getTime() - SUBJECT_DAYS * DAY_MS).toISOString();
  const { rows } = await sql<{ thread_id: number }>`
    select thread_id from (
      (select 1 as step, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = ${messageId}
          and mail_reply_key(subject) = mail_reply_key(${subject})
        limit 1)
      union all
      (select 2, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = any(${references})
        order by array_position(${references}::text[], internet_message_id) desc, message_at desc limit 1)
      union all
      (select 3, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and reference_ids && ${relatedIds} and reference_ids <> '{}'
        order by message_at desc limit 1)
      union all
      (select 4, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and folder not in ('drafts', 'spam', 'trash')
          and mail_is_reply(${subject}) and mail_reply_key(${subject}) <> ''
          and mail_reply_key(subject) = mail_reply_key(${subject})
          and message_at > ${since} and cardinality(${references}::text[]) = 0
          and (lower(from_email) = lower(${from.email})
            or to_recipients || cc_recipients @> jsonb_build_array(jsonb_build_object('email', ${from.email}::text)))
        order by message_at desc limit 1)
    ) candidates order by step limit 1`.execute(db);
  return rows[0]?.thread_id ?? null;
}
