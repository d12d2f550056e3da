import { OnlineMigration } from './online-migration.ts';

/**
 * Indexes by which a search reads mail newest first over all folders, and finds out whether a message may match, without reading the
 * message itself. They take the place of two others.
 */
export class NewestMail extends OnlineMigration {
  override async up(): Promise<void> {
    const newest =
      'mail_messages (mailbox_id, message_at desc, id desc) include (workspace_id, folder, is_read, search_number)';
    await this.buildIndex('mail_messages_newest', newest, false);
    await this.buildIndex('mail_messages_newest_with_files', `${newest} where attachments <> '[]'`, false);
    await this.buildIndex(
      'mail_messages_search',
      'mail_messages (workspace_id, search_number) include (mailbox_id, folder, is_read, message_at, id)',
      true,
    );
    await this.dropIndex('mail_messages_with_files');
    await this.dropIndex('mail_messages_search_number');
  }
}
