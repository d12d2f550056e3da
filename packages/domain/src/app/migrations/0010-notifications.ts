import { Migration } from '@mikro-orm/migrations';

/** The notification centre, the registrations for push notifications, and their outbox. */
export class Notifications extends Migration {
  override up(): void {
    this.addSql(`
      create table notifications (
        workspace_id integer not null references workspaces on delete cascade,
        id uuid not null,
        user_id text collate "C" not null references users on delete cascade,
        kind text not null,
        -- The account with whose name the title begins. The title itself does not contain the name.
        person_id text collate "C" references users on delete cascade,
        title text not null,
        body text,
        action_url text not null,
        read_at timestamptz(3),
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      -- The notifications of a user, newest first.
      create index notifications_centre on notifications (workspace_id, user_id, created_at desc, id desc);
      -- The unread notifications of a user: counted, marked as read, and listed newest first.
      create index notifications_unread on notifications (workspace_id, user_id, created_at desc, id desc)
        where read_at is null;
      -- Pruning.
      create index notifications_age on notifications (created_at);

      -- The kinds of notification that a user has muted.
      create table notification_mutes (
        workspace_id integer not null references workspaces on delete cascade,
        user_id text collate "C" not null references users on delete cascade,
        kind text collate "C" not null,
        primary key (workspace_id, user_id, kind)
      );

      -- The push registrations of sessions.
      create table devices (
        token_id text collate "C" not null references tokens on delete cascade,
        app text not null check (app in ('mail', 'calendar', 'admin')),
        -- Those of the session.
        user_id text collate "C" not null,
        workspace_id integer not null,
        environment text not null check (environment in ('sandbox', 'production')),
        device_token text collate "C" not null,
        locale text,
        timezone text,
        app_version text,
        os_version text,
        created_at timestamptz(3) not null,
        last_seen_at timestamptz(3) not null,
        primary key (token_id, app)
      );
      -- A push token is unique among the sessions of one account and firm; other sessions may have the same token.
      create unique index devices_owner_device_token on devices (app, device_token, user_id, workspace_id);

      -- A row per notification and device. Its id is the provider's apns-id, the same at every try.
      -- The free space lets a lease be written beside its row, without a change of any index.
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
        -- The time of the next attempt.
        due_at timestamptz(3) not null,
        -- Until when a sender has taken the row; if the sender dies, another one takes it afterwards.
        leased_until timestamptz,
        -- What would have been sent, for a test twin.
        payload jsonb,
        -- The trace that the push continues, for the process that sends it.
        trace text,
        expires_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        check ((ended_at is null) = (state = 'waiting'))
      ) with (fillfactor = 40);
      -- A device gets one push per subject, also if the job that queues it runs more than once.
      create unique index push_outbox_subject on push_outbox (token_id, app, subject);
      -- The pushes that are due.
      create index push_outbox_due on push_outbox (due_at) where state = 'waiting';
      -- Pruning.
      create index push_outbox_ended on push_outbox (ended_at) where ended_at is not null;
    `);
  }
}
