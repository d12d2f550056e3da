import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Replies that their author can still take back. Workers of the previous version do not know the job that sends them: held replies
 * wait for the first new worker. Gateways of the previous version end a ticket without sending them: then they become a note.
 */
export class HeldReplies extends Migration {
  override up(): void {
    this.addSql(`
      create table held_replies (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        author_id text collate "C" not null,
        author text not null,
        body text not null,
        image_url text,
        image_name text,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql('create index held_replies_by_ticket on held_replies (workspace_id, ticket_id)');
    this.addSql(distributeNewTable('held_replies'));
    this.addSql(`
      alter table held_replies add constraint held_replies_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id) on delete cascade`);
  }
}
