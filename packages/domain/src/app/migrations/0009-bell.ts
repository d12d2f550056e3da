import { Migration } from '@mikro-orm/migrations';

/** What a person's own viewers follow, beside those of tickets; the kinds of notice that somebody's phones stay silent for. */
export class Bell extends Migration {
  override up(): void {
    this.addSql(`
      alter table live_events
        alter column ticket_id drop not null,
        add user_id text collate "C",
        add check (num_nonnulls(ticket_id, user_id) = 1);
      -- Where the viewer of one person's notification centre resumes.
      create index live_events_person on live_events (workspace_id, user_id, position)
        where user_id is not null and position is not null;

      create table notification_mutes (
        workspace_id integer not null references workspaces on delete cascade,
        user_id text collate "C" not null references users on delete cascade,
        kind text collate "C" not null,
        primary key (workspace_id, user_id, kind)
      );
    `);
  }
}
