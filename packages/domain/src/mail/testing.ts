import type { Folder } from '@firmdesk/contract';
import type { WorkspaceRef } from '../access/identity.ts';
import { newId } from '../kernel/ids.ts';
import type { Services } from '../kernel/services.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { type MintedUser, unique } from '../testing/mint.ts';
import { Mailbox, MailboxMember, MailMessage, Thread } from './mail.entity.ts';

export interface MintedMailbox {
  id: number;
  email: string;
  name: string;
}

/** A mailbox with its readers; who `reads` may not write from it. */
export function mintMailbox(
  services: Services,
  input: { firm: WorkspaceRef; writes?: MintedUser[]; reads?: MintedUser[] },
): Promise<MintedMailbox> {
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

export interface MintMessage {
  mailbox: { id: number };
  folder?: Folder;
  previousFolder?: Folder | null;
  /** Joins the conversation of that message. */
  answers?: MintedMessage;
  messageAt?: string;
}

export interface MintedMessage {
  id: string;
  threadId: number;
  alias: number;
}

export function mintMessage(services: Services, input: MintMessage): Promise<MintedMessage> {
  return withTransaction(services, async ({ em, now }) => {
    let threadId = input.answers?.threadId;
    if (threadId === undefined) {
      const thread = em.create(Thread, { mailboxId: input.mailbox.id, createdAt: now });
      await em.flush();
      threadId = thread.id;
    }
    const message = em.create(MailMessage, {
      id: newId('mailMessage', now),
      mailboxId: input.mailbox.id,
      threadId,
      folder: input.folder ?? 'inbox',
      previousFolder: input.previousFolder ?? null,
      fromEmail: 'ann@elsewhere.example',
      fromName: 'Ann',
      toRecipients: [],
      ccRecipients: [],
      bccRecipients: [],
      subject: 'Quarterly numbers',
      body: '<p>Here they are.</p>',
      snippet: 'Here they are.',
      messageAt: input.messageAt ?? now.toISOString(),
      internetMessageId: null,
      inReplyTo: null,
      references: [],
      createdAt: now,
    });
    await em.flush();
    return { id: message.id, threadId, alias: message.alias };
  });
}
