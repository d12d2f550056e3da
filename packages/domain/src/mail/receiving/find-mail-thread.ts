import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import type { MailboxRef } from '../mailboxes/mailbox-directory.ts';
import type { ParsedMail } from '../parsing/parsed-mail.ts';

/** A reply without references joins a conversation with its subject that is at most this old. */
const SUBJECT_DAYS = 30;

/** A conversation (thread). `id`: the message itself, if the mailbox has it. */
interface FoundThread {
  id: string | null;
  thread_id: number;
}

/**
 * Returns the conversation in a mailbox to which a message belongs, or null if it starts a new one. The first match wins:
 *
 * 0. that of the message itself: with its id and its content;
 * 1. the conversation of another copy of it, such as the one that a mailing list changed: with its id and its subject;
 * 2. the conversation of the nearest message to which it replies;
 * 3. the conversation of a message that replies to it, or to one of the same messages (messages can arrive out of order);
 * 4. if it has a reply subject (`Re: …`, also of other languages) and no references, a recent conversation with that subject and its
 *    sender.
 */
export async function findMailThread(
  { db, now }: OperationContext,
  { workspaceId, mailboxId }: MailboxRef,
  {
    messageId,
    contentDigest,
    references,
    subject,
    from,
  }: Pick<ParsedMail, 'messageId' | 'contentDigest' | 'references' | 'subject' | 'from'>,
): Promise<FoundThread | null> {
  const relatedIds = [...references, messageId];
  const since = new Date(now.getTime() - SUBJECT_DAYS * DAY_MS).toISOString();
  const { rows } = await sql<FoundThread>`
    select id, thread_id from (
      (select 0 as step, id, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = ${messageId}
          and content_digest = ${contentDigest})
      union all
      (select 1, null, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = ${messageId}
          and mail_reply_key(subject) = mail_reply_key(${subject})
        limit 1)
      union all
      (select 2, null, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and internet_message_id = any(${references})
        order by array_position(${references}::text[], internet_message_id) desc, message_at desc limit 1)
      union all
      (select 3, null, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and reference_ids && ${relatedIds} and reference_ids <> '{}'
        order by message_at desc limit 1)
      union all
      (select 4, null, thread_id from mail_messages
        where workspace_id = ${workspaceId} and mailbox_id = ${mailboxId} and folder not in ('drafts', 'spam', 'trash')
          and mail_is_reply(${subject}) and mail_reply_key(${subject}) <> ''
          and mail_reply_key(subject) = mail_reply_key(${subject})
          and message_at > ${since} and cardinality(${references}::text[]) = 0
          and (lower(from_email) = lower(${from.email})
            or to_recipients || cc_recipients @> jsonb_build_array(jsonb_build_object('email', ${from.email}::text)))
        order by message_at desc limit 1)
    ) candidates order by step limit 1`.execute(db);
  return rows[0] ?? null;
}
