import { Migration } from '@mikro-orm/migrations';

/**
 * A log of events per firm, which writers append to without a lock (docs/decisions/0027). Replaces `live_events`.
 *
 * Gateways of the previous version still append to `live_events`; its trigger copies their events to the new log. Their viewers
 * do not get the events of new gateways; they get `resync` when they reconnect to a new one, which does not know their event ids.
 * `live_events` and `live_horizon` are no longer used then, and the next release drops them.
 */
export class FirmLogs extends Migration {
  override up(): void {
    this.addSql(`
      create sequence event_log_ids;

      -- The events of each firm. Not inserted in the order of their commits: a row gets its position after the commit, from the
      -- processes that follow the firm. So after position n was read, no row appears at or below n.
      -- No foreign keys: a row is stored for a day, and a reply appends twenty rows per second.
      create table event_log (
        workspace_id integer not null,
        -- The order of insertion. Drawn while a lock on the subject is held, so that it is the order of a subject's events.
        id bigint not null default nextval('event_log_ids'),
        position bigint,
        -- Tells an event from another that gets its position after the database has lost it.
        tag integer not null default floor(random() * 2147483647)::integer,
        -- The id of a ticket, or one word for all events of a kind: notifications.
        subject text collate "C" not null,
        type text collate "C" not null,
        body jsonb not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      -- The events that need a position.
      create index event_log_unplaced on event_log (workspace_id, id) where position is null;
      -- A row enters these indexes when it gets its position. The first is read by every process that follows the firm.
      create unique index event_log_position on event_log (workspace_id, position) where position is not null;
      create index event_log_subject on event_log (workspace_id, subject, position) where position is not null;
      -- Resumes the stream of a firm's inbox.
      create index event_log_tickets on event_log (workspace_id, position)
        where type = 'ticket.updated' and position is not null;
      -- Pruning.
      create index event_log_age on event_log (created_at);

      -- The end of each firm's log, and the place up to which it was pruned. Locked while positions are given.
      create table event_log_heads (
        workspace_id integer primary key,
        position bigint not null default 0,
        tag integer not null default 0,
        pruned_through bigint not null default 0,
        pruned_tag integer not null default 0
      );

      create or replace function place_live_event() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(4001736);
        update live_events set position = nextval('live_positions') where id = new.id;
        insert into event_log (workspace_id, subject, type, body, created_at)
          values (new.workspace_id, coalesce(new.ticket_id, 'notifications'), new.type,
            case
              when new.type = 'notification.created' then jsonb_build_object(
                'notification', new.body->'notification',
                'ids', jsonb_build_object(new.user_id, new.body#>'{notification,id}'))
              when new.type = 'notifications.read' then jsonb_build_object('user', new.user_id)
              else new.body
            end, new.created_at);
        perform pg_notify('firmdesk', 'log');
        perform pg_notify('firmdesk', 'log:' || new.workspace_id);
        return null;
      end $$;
    `);
  }
}
