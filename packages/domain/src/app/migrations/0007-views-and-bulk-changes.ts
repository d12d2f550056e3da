import { Migration } from '@mikro-orm/migrations';

/** Saved views of the ticket list, and changes of many tickets. */
export class ViewsAndBulkChanges extends Migration {
  override up(): void {
    this.addSql(`
      -- The saved views of accounts and teams.
      create table ticket_views (
        workspace_id integer not null references workspaces on delete cascade,
        id text collate "C" not null,
        -- The owner: an account or a team.
        user_id text collate "C" references users on delete cascade,
        team_id integer,
        name text not null,
        search jsonb not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint ticket_views_owner_check check (num_nonnulls(user_id, team_id) = 1),
        constraint ticket_views_team_fkey foreign key (workspace_id, team_id) references teams on delete cascade
      );
      create unique index ticket_views_by_user on ticket_views (workspace_id, user_id, name);
      create unique index ticket_views_by_team on ticket_views (workspace_id, team_id, name);

      -- The order in which an account sees views.
      create table ticket_view_orders (
        workspace_id integer not null references workspaces on delete cascade,
        user_id text collate "C" not null references users on delete cascade,
        -- The ids of views; a view that was deleted since is ignored.
        views text[] not null,
        primary key (workspace_id, user_id)
      );

      create table bulk_changes (
        workspace_id integer not null references workspaces on delete cascade,
        id text collate "C" not null,
        user_id text collate "C" not null,
        action jsonb not null,
        state text not null default 'running',
        -- Why a change has stopped: its account has lost its rights.
        stopped_because text,
        -- The account that undoes the change.
        undone_by text collate "C",
        tickets integer not null,
        changed integer not null default 0,
        skipped integer not null default 0,
        undone integer not null default 0,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        primary key (workspace_id, id),
        constraint bulk_changes_state_values check (state = any ('{running,done,undoing,undone,stopped}'))
      );
      create index bulk_changes_by_user on bulk_changes (workspace_id, user_id, created_at);
      -- Pruning.
      create index bulk_changes_age on bulk_changes (created_at);

      create table bulk_change_batches (
        workspace_id integer not null,
        bulk_change_id text collate "C" not null,
        position integer not null,
        tickets text[] not null,
        -- The changed tickets with their earlier values, and the skipped ones with the reasons; null before the batch has run.
        changed jsonb,
        skipped jsonb,
        is_undone boolean not null default false,
        primary key (workspace_id, bulk_change_id, position),
        constraint bulk_change_batches_bulk_change_fkey
          foreign key (workspace_id, bulk_change_id) references bulk_changes on delete cascade
      );
    `);
  }
}
