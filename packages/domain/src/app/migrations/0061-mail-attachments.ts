import { Migration } from '@mikro-orm/migrations';

/**
 * Files of received mail, in the table of those of tickets. A file belongs to a ticket, to a message of mail, or to neither while a delivery stores it.
 * Gateways of the previous version deliver mail without its files, and would give one to an agent who knows its id, which cannot be guessed.
 */
export class MailAttachments extends Migration {
  override up(): void {
    this.addSql('alter table attachments alter column ticket_id drop not null');
    this.addSql('alter table attachments add column mail_message_id text collate "C"');
    this.addSql(`
      alter table attachments add constraint attachments_mail_message_fkey
        foreign key (workspace_id, mail_message_id) references mail_messages (workspace_id, id) not valid`);
    this.addSql(`alter table mail_messages add column attachments jsonb not null default '[]'`);
    this.addSql(`alter table mail_messages add column left_out jsonb not null default '[]'`);
  }
}
