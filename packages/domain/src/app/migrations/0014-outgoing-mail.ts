import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Messages that accounts send, with what became of them for each recipient. */
export class OutgoingMail extends Migration {
  override up(): void {
    this.addSql(`
      -- The id of the message that a draft or a sent message answers, which may have been deleted since.
      alter table mail_messages add column answers_id text collate "C"`);
    this.addSql(`
      -- Jobs with a higher number start later.
      alter table job_requests add column priority smallint not null default 0`);
    this.addSql(`
      -- A message is in a sent folder as soon as it has a row here.
      create table outgoing_messages (
        workspace_id integer not null,
        message_id text collate "C" not null,
        author_id text collate "C" not null,
        send_at timestamptz(3) not null,
        -- Null while it is delayed: until then it can be taken back.
        started_at timestamptz(3),
        -- How many jobs have tried to send it. A job for another attempt does nothing.
        attempts integer not null default 0,
        primary key (workspace_id, message_id)
      )`);
    this.addSql(`
      create index outgoing_messages_author on outgoing_messages (workspace_id, author_id)`);
    this.addSql(`
      create table outgoing_recipients (
        workspace_id integer not null,
        message_id text collate "C" not null,
        position smallint not null,
        email text not null,
        state text not null default 'queued' check (state in ('queued', 'sent', 'delivered_locally', 'failed', 'not_sent')),
        -- The words of the mail server, or the reason.
        detail text,
        -- When a mail server accepted the message or refused it for good, or returned it later. Null for other outcomes.
        answered_at timestamptz(3),
        complained_at timestamptz(3),
        -- Whether the author was told that it failed.
        is_reported boolean not null default false,
        primary key (workspace_id, message_id, position)
      )`);
    this.addSql(`
      -- The share of bounces and complaints in a day.
      create index outgoing_recipients_answered on outgoing_recipients (workspace_id, answered_at) where answered_at is not null`);
    this.addSql(`
      create index outgoing_recipients_complained on outgoing_recipients (workspace_id, complained_at) where complained_at is not null`);
    this.addSql(`
      -- How many messages an account has sent in a day (UTC).
      create table mail_usage (
        workspace_id integer not null,
        user_id text collate "C" not null,
        day date not null,
        sent integer not null default 0,
        primary key (workspace_id, user_id)
      )`);
    this.addSql(distributeNewTable('outgoing_messages'));
    this.addSql(distributeNewTable('outgoing_recipients'));
    this.addSql(distributeNewTable('mail_usage'));
    this.addSql(`
      alter table outgoing_messages add constraint outgoing_messages_in_mail_messages
        foreign key (workspace_id, message_id) references mail_messages on delete cascade`);
    this.addSql(`
      alter table outgoing_messages add constraint outgoing_messages_author foreign key (author_id) references users`);
    this.addSql(`
      alter table outgoing_recipients add constraint outgoing_recipients_in_outgoing_messages
        foreign key (workspace_id, message_id) references outgoing_messages on delete cascade`);
    this.addSql(`
      alter table mail_usage add constraint mail_usage_user foreign key (user_id) references users on delete cascade`);
  }
}
