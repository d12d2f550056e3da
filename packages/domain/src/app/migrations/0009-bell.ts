import { Migration } from '@mikro-orm/migrations';

/** Events of one user in the event log, and the kinds of notification that a user has muted. */
export class Bell extends Migration {
  override up(): void {
    this.addSql(`
      alter table live_events
        alter column ticket_id drop not null,
        add user_id text collate "C",
        add check (num_nonnulls(ticket_id, user_id) = 1);
      -- Resumes the stream of a user's notification centre.
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
