import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Mail that the product writes itself, and which is in no mailbox: reminders, invitations and answers to them. */
export class SystemMail extends Migration {
  override up(): void {
    this.addSql(`
      create table system_mails (
        workspace_id integer not null,
        id uuid not null,
        -- The account that gets it, or in whose name it is sent. It is not sent once the account has left the firm.
        user_id text collate "C" not null,
        kind text not null,
        -- What the mail is about. A second mail with the same subject is not stored.
        subject text collate "C" not null,
        content jsonb not null,
        created_at timestamptz(3) not null,
        -- After this time it is of no use.
        expires_at timestamptz(3) not null,
        -- How many jobs have tried to send it. A job for another attempt does nothing.
        attempts integer not null default 0,
        state text not null default 'queued' check (state in ('queued', 'sent', 'delivered_locally', 'failed', 'not_sent')),
        -- The words of the mail server, or the reason.
        detail text,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create unique index system_mails_subject on system_mails (workspace_id, subject)`);
    this.addSql(`
      create index system_mails_user on system_mails (workspace_id, user_id)`);
    this.addSql(`
      create index system_mails_age on system_mails (created_at)`);
    this.addSql(distributeNewTable('system_mails'));
    this.addSql(`
      alter table system_mails add constraint system_mails_user foreign key (user_id) references users on delete cascade`);
  }
}
