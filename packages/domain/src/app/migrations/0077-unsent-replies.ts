import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Held replies that may no longer be sent: drafts of their tickets for the team. Workers of the previous version make notes of them. */
export class UnsentReplies extends Migration {
  override up(): void {
    this.addSql(`
      create table unsent_replies (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        author_id text collate "C" not null,
        author text not null,
        text text not null,
        image_url text not null,
        image_name text not null,
        attachments jsonb not null,
        macros jsonb,
        reason text not null,
        written_at timestamptz(3) not null,
        unsent_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql('create index unsent_replies_by_ticket on unsent_replies (workspace_id, ticket_id)');
    this.addSql('create index unsent_replies_age on unsent_replies (unsent_at)');
    this.addSql(distributeNewTable('unsent_replies'));
    this.addSql(`
      alter table unsent_replies add constraint unsent_replies_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id) on delete cascade`);
    this.addSql(`
      alter table unsent_replies add constraint unsent_replies_author_fkey
        foreign key (author_id) references users (id)`);
  }
}
