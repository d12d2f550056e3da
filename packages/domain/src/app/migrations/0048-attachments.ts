import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Files of messages, each `part_of` a message or a held reply once it is sent. The row of a file has what the service needs to store, find and delete its content; the message has what clients
 * show. Gateways of the previous version show messages without their files.
 */
export class Attachments extends Migration {
  override up(): void {
    this.addSql(`
      create table attachments (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        uploader_id text collate "C",
        part_of text collate "C",
        name text not null,
        type text,
        size integer not null,
        created_at timestamptz(3) not null,
        uploaded_at timestamptz(3),
        deleted_at timestamptz(3),
        primary key (workspace_id, id)
      )`);
    this.addSql('create index attachments_by_ticket on attachments (workspace_id, ticket_id)');
    this.addSql(`create index attachments_unsent on attachments (created_at) where part_of is null`);
    this.addSql(`create index attachments_deleted on attachments (deleted_at) where deleted_at is not null`);
    this.addSql(`create index attachments_by_uploader on attachments (workspace_id, uploader_id)`);
    this.addSql(distributeNewTable('attachments'));
    this.addSql(`
      alter table attachments add constraint attachments_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id)`);
    this.addSql(`
      alter table attachments add constraint attachments_uploader_fkey
        foreign key (uploader_id) references users (id)`);
    this.addSql(`alter table ticket_messages add attachments jsonb not null default '[]'`);
    this.addSql(`alter table held_replies add attachments jsonb not null default '[]'`);
  }
}
