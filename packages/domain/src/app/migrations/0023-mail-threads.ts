import { distributeNewTable } from './new-firm-table.ts';
import { OnlineMigration } from './online-migration.ts';

/** Marks of conversations: star, snooze and tags. Since when a message is in the trash. */
export class MailThreads extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      alter table mail_threads
        add column if not exists is_starred boolean not null default false,
        -- Until then the conversation is left out of the inbox of the console. A new message ends the snooze.
        add column if not exists snoozed_until timestamptz(3)`);
    await this.query('alter table mail_messages add column if not exists trashed_at timestamptz(3)');
    await this.buildIndex(
      'mail_threads_starred',
      'mail_threads (workspace_id, mailbox_id) where is_starred',
      false,
    );
    await this.buildIndex(
      'mail_threads_snoozed',
      'mail_threads (workspace_id, mailbox_id) where snoozed_until is not null',
      false,
    );
    // What is deleted from the trash, oldest first. A message without a time was moved by a process of the previous version.
    await this.buildIndex(
      'mail_messages_trashed',
      "mail_messages (trashed_at) where folder = 'trash'",
      false,
    );
    await this.query(`
      create table if not exists mail_thread_tags (
        workspace_id integer not null,
        thread_id bigint not null,
        tag_id integer not null,
        primary key (workspace_id, thread_id, tag_id)
      )`);
    await this.query(distributeNewTable('mail_thread_tags'));
    await this.addConstraint(
      'mail_thread_tags',
      'mail_thread_tags_in_mail_threads',
      'foreign key (workspace_id, thread_id) references mail_threads on delete cascade',
    );
    await this.addConstraint(
      'mail_thread_tags',
      'mail_thread_tags_in_tags',
      'foreign key (workspace_id, tag_id) references tags on delete cascade',
    );
    await this.query(
      'create index if not exists mail_thread_tags_tag on mail_thread_tags (workspace_id, tag_id)',
    );
  }
}
