import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/**
 * Prepared replies, and the changes that are made with a held reply. Processes of the previous version send a held reply without its
 * changes.
 */
export class Macros extends Migration {
  override up(): void {
    this.addSql(`
      create table macros (
        workspace_id integer not null,
        id text collate "C" not null,
        position integer not null,
        name text not null,
        name_key text not null,
        team_id integer,
        texts jsonb not null,
        tag_ids integer[] not null,
        status text,
        priority text,
        assigns_author boolean not null,
        assignee_id text collate "C",
        used integer not null default 0,
        last_used_at timestamptz(3),
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql('create unique index macros_name on macros (workspace_id, name_key)');
    this.addSql(distributeNewTable('macros'));
    this.addSql(`
      alter table macros add constraint macros_team_fkey
        foreign key (workspace_id, team_id) references teams (workspace_id, id)`);
    this.addSql(`
      alter table macros add constraint macros_assignee_id_fkey
        foreign key (assignee_id) references users (id)`);
    this.addSql('alter table held_replies add column actions jsonb');
    this.addSql('alter table held_replies add column macro_ids text[]');
  }
}
