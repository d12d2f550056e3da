import type { Folder } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { WorkspaceRef } from '../access/identity.ts';
import { sqlOf } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { type TestUser, unique } from '../testing/accounts.ts';
import { Mailbox, MailboxMember } from './mail.entity.ts';

export interface TestMailbox {
  id: number;
  email: string;
  name: string;
}

/** Creates a mailbox. Users in `writes` read it and write from it; users in `reads` only read it. */
export function createMailbox(
  services: Services,
  input: { firm: WorkspaceRef; writes?: TestUser[]; reads?: TestUser[] },
): Promise<TestMailbox> {
  return withTransaction(services, async ({ em, now }) => {
    const email = `${unique('box')}@example.com`;
    const mailbox = em.create(Mailbox, {
      workspaceId: input.firm.id,
      email,
      name: 'Trading Desk',
      createdAt: now,
    });
    await em.flush();
    for (const { id } of input.writes ?? []) em.create(MailboxMember, { mailboxId: mailbox.id, userId: id });
    for (const { id } of input.reads ?? []) {
      em.create(MailboxMember, { mailboxId: mailbox.id, userId: id, canWrite: false });
    }
    await em.flush();
    return { id: mailbox.id, email, name: 'Trading Desk' };
  });
}

export interface CreateMailMessageInput {
  mailbox: { id: number };
  folder?: Folder;
  previousFolder?: Folder | null;
  /** A message whose conversation this one joins. */
  replyTo?: TestMailMessage;
  messageAt?: string;
}

export interface TestMailMessage {
  id: string;
  threadId: number;
  alias: number;
}

/** Creates a message in a mailbox, without recipients. */
export function createMailMessage(
  services: Services,
  input: CreateMailMessageInput,
): Promise<TestMailMessage> {
  return withTransaction(services, async ({ em, now }) => {
    const db = sqlOf(em);
    const created = now.toISOString();
    const thread =
      input.replyTo === undefined
        ? await db
            .insertInto('mail_threads')
            .values({ mailbox_id: input.mailbox.id, created_at: created })
            .returning('id')
            .executeTakeFirstOrThrow()
        : { id: input.replyTo.threadId };
    const { id, alias } = await db
      .insertInto('mail_messages')
      .values({
        id: newId('mailMessage', now),
        mailbox_id: input.mailbox.id,
        thread_id: thread.id,
        folder: input.folder ?? 'inbox',
        previous_folder: input.previousFolder ?? null,
        from_email: 'ann@elsewhere.example',
        from_name: 'Ann',
        to_recipients: sql`'[]'`,
        cc_recipients: sql`'[]'`,
        bcc_recipients: sql`'[]'`,
        subject: 'Quarterly numbers',
        body: '<p>Here they are.</p>',
        snippet: 'Here they are.',
        message_at: input.messageAt ?? created,
        reference_ids: [],
        created_at: created,
      })
      .returning(['id', 'alias'])
      .executeTakeFirstOrThrow();
    return { id, alias, threadId: thread.id };
  });
}
