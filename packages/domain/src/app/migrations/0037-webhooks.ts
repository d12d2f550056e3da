import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Endpoints of a firm, the events that are sent to them, and the deliveries. */
export class Webhooks extends Migration {
  override up(): void {
    this.addSql(`
      create table webhook_endpoints (
        workspace_id integer not null,
        id text collate "C" not null,
        url text not null,
        description text not null,
        events text[] not null,
        -- Signs the deliveries, so it is not stored as a hash.
        secret bytea not null,
        previous_secret bytea,
        previous_secret_until timestamptz(3),
        created_at timestamptz(3) not null,
        -- Since when no attempt has succeeded, and until when no other begins.
        failing_since timestamptz(3),
        paused_until timestamptz(3),
        disabled text check (disabled in ('member', 'failing')),
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create sequence webhook_event_positions`);
    this.addSql(`
      create table webhook_events (
        workspace_id integer not null,
        id text collate "C" not null,
        -- Drawn while a lock on the subject is held, so that it is the order of a subject's events.
        position bigint not null default nextval('webhook_event_positions'),
        type text collate "C" not null,
        -- The id of a ticket, a pre-registration or a message.
        subject text collate "C" not null,
        -- Whom it is about: the id of an account, or an address in lower case.
        person text collate "C" not null,
        data jsonb not null,
        -- Whether the endpoints have their deliveries.
        is_dispatched boolean not null default false,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create index webhook_events_new on webhook_events (workspace_id, position) where not is_dispatched`);
    this.addSql(`
      create index webhook_events_person on webhook_events (workspace_id, person)`);
    this.addSql(`
      -- Pruning.
      create index webhook_events_age on webhook_events (created_at)`);
    this.addSql(`
      create table webhook_deliveries (
        workspace_id integer not null,
        id text collate "C" not null,
        endpoint_id text collate "C" not null,
        event_id text collate "C" not null,
        -- Those of the event.
        position bigint not null,
        type text collate "C" not null,
        subject text collate "C" not null,
        state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
        attempts integer not null default 0,
        -- When it was created, and when it was last begun anew.
        created_at timestamptz(3) not null,
        started_at timestamptz(3) not null,
        due_at timestamptz(3) not null,
        -- Until when a sender has it; if the sender dies, another one takes it afterwards.
        leased_until timestamptz,
        -- Of the last answer.
        status smallint,
        detail text,
        ended_at timestamptz(3),
        check ((ended_at is null) = (state = 'waiting')),
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create unique index webhook_deliveries_event on webhook_deliveries (workspace_id, event_id, endpoint_id)`);
    this.addSql(`
      -- The next delivery of each subject.
      create index webhook_deliveries_waiting on webhook_deliveries (workspace_id, endpoint_id, subject, position)
        where state = 'waiting'`);
    this.addSql(`
      create index webhook_deliveries_newest on webhook_deliveries (workspace_id, position desc, id desc)`);
    this.addSql(`
      create index webhook_deliveries_endpoint on webhook_deliveries (workspace_id, endpoint_id, position desc, id desc)`);
    this.addSql(`
      create index webhook_deliveries_subject on webhook_deliveries (workspace_id, subject, position desc)`);
    this.addSql(distributeNewTable('webhook_endpoints'));
    this.addSql(distributeNewTable('webhook_events'));
    this.addSql(distributeNewTable('webhook_deliveries'));
    this.addSql(`
      alter table webhook_deliveries add constraint webhook_deliveries_endpoint
        foreign key (workspace_id, endpoint_id) references webhook_endpoints on delete cascade`);
    this.addSql(`
      alter table webhook_deliveries add constraint webhook_deliveries_event
        foreign key (workspace_id, event_id) references webhook_events on delete cascade`);
  }
}
