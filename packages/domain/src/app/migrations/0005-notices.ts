import { Migration } from '@mikro-orm/migrations';

/** Push registrations, the notification centre, and reservations of referral codes. */
export class Notices extends Migration {
  override up(): void {
    this.addSql(`
      create table devices (
        token_id text collate "C" not null references tokens on delete cascade,
        app text not null check (app in ('mail', 'calendar', 'admin')),
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
      -- A push token belongs to one session per app, also after the phone changes its user.
      create unique index devices_device_token on devices (app, device_token);

      create table notifications (
        id uuid primary key,
        workspace_id integer not null references workspaces on delete cascade,
        user_id text collate "C" not null references users on delete cascade,
        kind text not null,
        title text not null,
        body text,
        action_url text not null,
        read_at timestamptz(3),
        created_at timestamptz(3) not null
      );
      -- The notifications of a user, newest first.
      create index notifications_centre on notifications (workspace_id, user_id, created_at desc, id desc);
      -- The unread notifications of a user: counted, marked as read, and listed newest first.
      create index notifications_unread on notifications (workspace_id, user_id, created_at desc, id desc)
        where read_at is null;

      create table affiliate_pre_registrations (
        id text collate "C" primary key,
        workspace_id integer not null references workspaces on delete cascade,
        email text not null,
        referral_code text not null,
        referral_url text not null,
        status text not null check (status in ('pending', 'claimed', 'revoked', 'expired')),
        source text not null,
        metadata jsonb not null default '{}',
        created_at timestamptz(3) not null,
        expires_at timestamptz(3),
        claimed_at timestamptz(3),
        last_sent_at timestamptz(3) not null
      );
      -- The list, newest first: all, those of a status, or those of an address.
      create index affiliate_pre_registrations_created
        on affiliate_pre_registrations (workspace_id, created_at desc, id desc);
      create index affiliate_pre_registrations_status
        on affiliate_pre_registrations (workspace_id, status, created_at desc, id desc);
      create index affiliate_pre_registrations_email
        on affiliate_pre_registrations (workspace_id, lower(email), created_at desc, id desc);
      -- Whether a code is reserved already.
      create index affiliate_pre_registrations_code on affiliate_pre_registrations (workspace_id, lower(referral_code));
      -- The job that stores the expiry, and the list of pre-registrations that have expired since it ran.
      create index affiliate_pre_registrations_expiry on affiliate_pre_registrations (expires_at) where status = 'pending';
    `);
  }
}
