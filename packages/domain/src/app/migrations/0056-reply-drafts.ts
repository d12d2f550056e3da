import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Replies and notes that are not sent yet. A gateway of the previous version does not delete the draft of a message that it sends. */
export class ReplyDrafts extends Migration {
  override up(): void {
    this.addSql(`
      create table reply_drafts (
        workspace_id integer not null,
        id bigint generated always as identity,
        user_id text collate "C" not null,
        ticket_id text collate "C" not null,
        mode text not null,
        text text not null,
        image_url text not null,
        image_name text not null,
        -- Changes with each save.
        version text not null,
        updated_at timestamptz(3) not null,
        constraint reply_drafts_pkey primary key (workspace_id, id),
        constraint reply_drafts_key unique (workspace_id, user_id, ticket_id, mode),
        constraint reply_drafts_mode_check check (mode in ('reply', 'note'))
      )`);
    this.addSql('create index reply_drafts_by_ticket on reply_drafts (workspace_id, ticket_id)');
    this.addSql('create index reply_drafts_age on reply_drafts (updated_at)');
    this.addSql(distributeNewTable('reply_drafts'));
    this.addSql(`
      alter table reply_drafts add constraint reply_drafts_ticket_fkey
        foreign key (workspace_id, ticket_id) references tickets (workspace_id, id) on delete cascade`);
    this.addSql(`
      alter table reply_drafts add constraint reply_drafts_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
  }
}
