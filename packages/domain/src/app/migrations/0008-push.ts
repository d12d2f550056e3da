import { Migration } from '@mikro-orm/migrations';

/** The outbox of push notifications. */
export class Push extends Migration {
  override up(): void {
    this.addSql(`
      -- A row per notification and device. Its id is the provider's apns-id, the same at every try.
      create table push_outbox (
        id uuid primary key default gen_random_uuid(),
        token_id text collate "C" not null references tokens on delete cascade,
        app text not null check (app in ('mail', 'calendar', 'admin')),
        type text not null check (type in ('mail.message', 'calendar.reminder', 'admin.notification', 'test')),
        -- The subject of the push: a message, an occurrence with its reminder, or a notification.
        subject text collate "C" not null,
        reminder jsonb check ((reminder is not null) = (type = 'calendar.reminder')),
        state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'dropped', 'unsent')),
        reason text,
        attempts integer not null default 0,
        -- The time of the next attempt. A sender that takes the row moves it ahead; if the sender dies, the row is due again.
        due_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        check ((ended_at is null) = (state = 'waiting'))
      );
      -- A device gets one push per subject, also if the job that queues it runs more than once.
      create unique index push_outbox_subject on push_outbox (token_id, app, subject);
      -- The pushes that are due.
      create index push_outbox_due on push_outbox (due_at) where state = 'waiting';
      -- Pruning.
      create index push_outbox_ended on push_outbox (ended_at) where ended_at is not null;
    `);
  }
}
