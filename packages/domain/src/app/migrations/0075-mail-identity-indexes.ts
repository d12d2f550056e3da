import { OnlineMigration } from './online-migration.ts';

/** Finds the messages that are the same, and those with the subject of a reply. */
export class MailIdentityIndexes extends OnlineMigration {
  override async up(): Promise<void> {
    // A message is delivered to a mailbox once. A reply finds the message that it answers.
    await this.buildIndex(
      'mail_messages_identity',
      `mail_messages (workspace_id, mailbox_id, internet_message_id, content_digest)
        where internet_message_id is not null`,
      true,
    );
    await this.buildIndex(
      'mail_messages_reply_key',
      `mail_messages (workspace_id, mailbox_id, mail_reply_key(subject), message_at desc)
        where folder not in ('drafts', 'spam', 'trash')`,
      false,
    );
    await this.dropIndex('mail_messages_internet_id');
    await this.dropIndex('mail_messages_subject');
  }
}
