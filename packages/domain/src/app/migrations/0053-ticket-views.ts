import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** The saved views of accounts and teams, and the order in which an account sees them. */
export class TicketViews extends Migration {
  override up(): void {
    this.addSql(`
      create table ticket_views (
        workspace_id integer not null,
        id text collate "C" not null,
        -- The owner: an account or a team.
        user_id text collate "C",
        team_id integer,
        name text not null,
        search jsonb not null,
        created_at timestamptz(3) not null,
        constraint ticket_views_pkey primary key (workspace_id, id),
        constraint ticket_views_owner_check check (num_nonnulls(user_id, team_id) = 1)
      )`);
    this.addSql('create unique index ticket_views_by_user on ticket_views (workspace_id, user_id, name)');
    this.addSql('create unique index ticket_views_by_team on ticket_views (workspace_id, team_id, name)');
    this.addSql(distributeNewTable('ticket_views'));
    this.addSql(`
      alter table ticket_views add constraint ticket_views_workspace_id_fkey
        foreign key (workspace_id) references workspaces on delete cascade`);
    this.addSql(`
      alter table ticket_views add constraint ticket_views_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
    this.addSql(`
      alter table ticket_views add constraint ticket_views_team_fkey
        foreign key (workspace_id, team_id) references teams (workspace_id, id) on delete cascade`);
    this.addSql(`
      create table ticket_view_orders (
        workspace_id integer not null,
        user_id text collate "C" not null,
        -- The ids of views; a view that was deleted since is ignored.
        views text[] not null,
        constraint ticket_view_orders_pkey primary key (workspace_id, user_id)
      )`);
    this.addSql(distributeNewTable('ticket_view_orders'));
    this.addSql(`
      alter table ticket_view_orders add constraint ticket_view_orders_workspace_id_fkey
        foreign key (workspace_id) references workspaces on delete cascade`);
    this.addSql(`
      alter table ticket_view_orders add constraint ticket_view_orders_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
  }
}
