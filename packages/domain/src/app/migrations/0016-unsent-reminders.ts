import { Migration } from '@mikro-orm/migrations';

/** Due reminders that were not sent, with the reason. */
export class UnsentReminders extends Migration {
  override up(): void {
    this.addSql(`
      create table unsent_reminders (
        id bigint generated always as identity primary key,
        event_id integer not null references events on delete cascade,
        user_id text collate "C" not null references users on delete cascade,
        minutes_before integer not null,
        channel text not null,
        -- When the occurrence starts.
        starts_at timestamptz(3) not null,
        reason text not null check (reason in ('mail_not_set_up', 'unknown_channel', 'too_late', 'invalid_event')),
        created_at timestamptz(3) not null
      );
      -- Deletion with an event, and with an account.
      create index unsent_reminders_event on unsent_reminders (event_id);
      create index unsent_reminders_user on unsent_reminders (user_id, created_at);
      -- Pruning.
      create index unsent_reminders_age on unsent_reminders (created_at);
    `);
  }
}
