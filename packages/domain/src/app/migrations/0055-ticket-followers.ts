import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** The colleagues who are mentioned in a note, and those who follow a ticket. Gateways of the previous version ignore both. */
export class TicketFollowers extends Migration {
  override up(): void {
    this.addSql('alter table ticket_messages add column mentions text[]');
    this.addSql(`
      create table ticket_followers (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        user_id text collate "C" not null,
        created_at timestamptz(3) not null,
        constraint ticket_followers_pkey primary key (workspace_id, ticket_id, user_id)
      )`);
    this.addSql('create index ticket_followers_by_user on ticket_followers (workspace_id, user_id)');
    this.addSql(distributeNewTable('ticket_followers'));
    this.addSql(`
      alter table ticket_followers add constraint ticket_followers_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id) on delete cascade`);
    this.addSql(`
      alter table ticket_followers add constraint ticket_followers_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
  }
}
