import { Migration } from '@mikro-orm/migrations';

/** What a person is notified of by which channel, and pushes to browsers. */
export class NotificationSettings extends Migration {
  override up(): void {
    this.addSql(`
      -- The channels that are off for a kind, or for a reason such as a mention. A kind that was muted had neither pushes nor alerts.
      alter table notification_mutes add column channels text[] not null default '{desktop,sound,push}'`);
    this.addSql(`
      -- Notifications with a reason were muted with their kind.
      insert into notification_mutes (workspace_id, user_id, kind)
      select workspace_id, user_id, reason from notification_mutes, unnest(array['assignment', 'mention']) reason
      where kind = 'ticket_awaiting_admin' on conflict do nothing`);
    this.addSql(`
      -- The keys for which the pushes to a browser are encrypted. Its device token is the URL of its subscription.
      alter table devices add column keys jsonb`);
    for (const table of ['devices', 'push_outbox']) {
      this.addSql(`alter table ${table} drop constraint ${table}_app_check`);
      this.addSql(`
        alter table ${table} add constraint ${table}_app_check
          check (app in ('mail', 'calendar', 'admin', 'browser')) not valid`);
    }
    this.addSql(`
      alter table devices add constraint devices_keys_check check ((keys is not null) = (app = 'browser')) not valid`);
  }
}
