import { OnlineMigration } from './online-migration.ts';

/** What the planner needs to read the newest mail of a mailbox in order, and not all of it. */
export class MailPlans extends OnlineMigration {
  override async up(): Promise<void> {
    // A search of unread mail would read a mailbox that has none to its end.
    await this.buildIndex(
      'mail_messages_newest_unread',
      'mail_messages (mailbox_id, message_at desc, id desc) include (workspace_id, folder, is_read, search_number) where not is_read',
      false,
    );
    // A mailbox belongs to one firm. Without this, the planner takes the messages of a firm in its own mailbox for few.
    await this.query(
      'create statistics if not exists mail_messages_firm (dependencies) on workspace_id, mailbox_id from mail_messages',
    );
    await this.query('analyze mail_messages');
  }
}
