import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the mail that the product writes when it is sent into the table of all outgoing messages. Calls of an earlier version use both tables, so none of
 * its processes can work with it.
 */
export class OneOutgoingTable extends Migration {
  override up(): void {
    // The id is that of the message in a sent folder, which a system mail lacks.
    this.addSql('alter table outgoing_messages drop constraint outgoing_messages_in_mail_messages');
    this.addSql('alter table outgoing_messages rename column message_id to id');
    this.addSql(`
      alter table outgoing_messages
        -- The message in a sent folder; null for a system mail.
        add column message_id text collate "C",
        -- The number by which mail that comes back names it. Null: none does.
        add column alias bigint,
        -- What a system mail is; null for a message.
        add column kind text collate "C",
        -- The account that gets a system mail, or in whose name it is sent.
        add column user_id text collate "C",
        -- What a system mail is written of.
        add column content jsonb`);
    // The address of a system mail is looked up when it is written.
    this.addSql('alter table outgoing_recipients alter column email drop not null');
    this.addSql(`
      do $$
      begin
        update outgoing_messages o set message_id = m.id, alias = m.alias
        from mail_messages m where m.workspace_id = o.workspace_id and m.id = o.id;

        insert into outgoing_messages (workspace_id, id, kind, user_id, about, content, send_at, send_until, started_at, attempts,
          is_automatic)
        select workspace_id, id::text, kind, user_id, subject, content, created_at, expires_at,
          case when state <> 'queued' or attempts > 0 then created_at end, attempts, true
        from system_mails;
        insert into outgoing_recipients (workspace_id, message_id, position, state, detail, is_reported)
        select workspace_id, id::text, 1, state, detail, state <> 'queued' from system_mails;
      end $$`);

    // The job has the name of all mail. What was requested or waits under the old one is requested again; one that ran changes nothing.
    this.addSql(`delete from job_requests where task = 'mail.send_system'`);
    this.addSql(`
      do $$
      begin
        if to_regclass('graphile_worker.jobs') is null then return; end if;
        perform graphile_worker.complete_jobs(array(
          select id from graphile_worker.jobs where task_identifier = 'mail.send_system'));
      end $$`);
    this.addSql(`
      insert into job_requests (workspace_id, task, payload, run_at, priority)
      select workspace_id, 'mail.send', json_build_object('workspace', workspace_id, 'message', id::text, 'send_at', created_at, 'attempt', attempts),
        now(), 10
      from system_mails where state = 'queued'`);
    this.addSql('drop table system_mails');

    this.addSql(`
      alter table outgoing_messages add constraint outgoing_messages_content check (case when kind is null then message_id is not null
        else message_id is null and user_id is not null and about is not null and content is not null and send_until is not null end)`);
    this.addSql(`
      alter table outgoing_messages add constraint outgoing_messages_in_mail_messages
        foreign key (workspace_id, message_id) references mail_messages on delete cascade`);
    this.addSql(`
      alter table outgoing_messages add constraint outgoing_messages_user foreign key (user_id) references users on delete cascade`);
    this.addSql(
      'create unique index outgoing_messages_message on outgoing_messages (workspace_id, message_id)',
    );
    this.addSql('create unique index outgoing_messages_alias on outgoing_messages (workspace_id, alias)');
    // A second mail of a kind about the same is not stored.
    this.addSql(
      'create unique index outgoing_messages_once on outgoing_messages (workspace_id, about) where kind is not null',
    );
    this.addSql(
      'create index outgoing_messages_user on outgoing_messages (workspace_id, user_id) where kind is not null',
    );
    this.addSql('create index outgoing_messages_age on outgoing_messages (send_at) where kind is not null');
  }
}
