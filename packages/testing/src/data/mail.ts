import type { Folder } from '@firmdesk/contract';
import { newId, type Services, withTransaction } from '@firmdesk/domain';
import { addToDirectory } from '@firmdesk/domain/import';
import type { WorkspaceRef } from '@firmdesk/domain/testing';
import { sql } from 'kysely';
import { type TestUser, unique } from './accounts.ts';

export interface TestMailbox {
  id: number;
  email: string;
  name: string;
}

/** Creates a mailbox. Users in `writes` read it and write from it; users in `reads` only read it. */
export function createMailbox(
  services: Services,
  input: { firm: WorkspaceRef; email?: string; writes?: TestUser[]; reads?: TestUser[] },
): Promise<TestMailbox> {
  return withTransaction(services, async ({ db, now }) => {
    const email = input.email ?? `${unique('box')}@example.com`;
    const workspace_id = input.firm.id;
    const name = 'Trading Desk';
    const { id } = await db
      .insertInto('mailboxes')
      .values({ workspace_id, email, name, created_at: now.toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow();
    await addToDirectory(db, [{ id, workspace_id, email }]);
    const members = [
      ...(input.writes ?? []).map((user) => ({ user, can_write: true })),
      ...(input.reads ?? []).map((user) => ({ user, can_write: false })),
    ].map(({ user, can_write }) => ({ workspace_id, mailbox_id: id, user_id: user.id, can_write }));
    if (members.length > 0) await db.insertInto('mailbox_members').values(members).execute();
    return { id, email, name };
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
  return withTransaction(services, async ({ db, now }) => {
    const created = now.toISOString();
    const { workspace_id } = await db
      .selectFrom('mailbox_addresses')
      .select('workspace_id')
      .where('mailbox_id', '=', input.mailbox.id)
      .executeTakeFirstOrThrow();
    const thread =
      input.replyTo === undefined
        ? await db
            .insertInto('mail_threads')
            .values({
              workspace_id,
              mailbox_id: input.mailbox.id,
              created_at: created,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        : { id: input.replyTo.threadId };
    const { id, alias } = await db
      .insertInto('mail_messages')
      .values({
        workspace_id,
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
        search_text: 'ann ann@elsewhere.example\n\nquarterly numbers\n\nhere they are.',
        message_at: input.messageAt ?? created,
        reference_ids: [],
        created_at: created,
      })
      .returning(['id', 'alias'])
      .executeTakeFirstOrThrow();
    return { id, alias, threadId: thread.id };
  });
}
