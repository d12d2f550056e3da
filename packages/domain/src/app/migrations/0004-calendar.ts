import { Migration } from '@mikro-orm/migrations';

/** Calendars, shares, events with their overrides, tags and reminders, and invitations that have ended. */
export class Calendar extends Migration {
  override up(): void {
    this.addSql(`
      create table calendars (
        workspace_id integer not null references workspaces on delete cascade,
        id serial,
        owner_id text collate "C" not null references users on delete cascade,
        name text not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      -- The calendars that a user owns in a workspace.
      create index calendars_owner on calendars (workspace_id, owner_id);

      create table calendar_shares (
        workspace_id integer not null,
        calendar_id integer not null,
        user_id text collate "C" not null references users on delete cascade,
        level text not null check (level in ('busy', 'read', 'write')),
        primary key (workspace_id, calendar_id, user_id),
        constraint calendar_shares_in_calendars foreign key (workspace_id, calendar_id) references calendars on delete cascade
      );
      -- The calendars that are shared with a user.
      create index calendar_shares_user on calendar_shares (workspace_id, user_id, calendar_id);

      create table events (
        workspace_id integer not null,
        id bigserial,
        calendar_id integer not null,
        uid text,
        sequence integer not null default 0,
        title text not null,
        description text,
        location text,
        local_start text not null,
        local_end text not null,
        all_day boolean not null default false,
        timezone text not null,
        status text not null default 'confirmed' check (status in ('confirmed', 'pending')),
        source text not null default 'manual' check (source in ('manual', 'mail', 'import')),
        recurrence_rule text,
        added_dates jsonb not null default '[]',
        removed_dates jsonb not null default '[]',
        conference jsonb,
        organizer_name text,
        organizer_email text,
        -- Who sent an invitation, and when this version of it was made. Without a sender, only the organizer can change it.
        sender_email text,
        stamp timestamptz(3),
        attendees jsonb not null default '[]',
        span_start timestamptz(3) not null,
        span_end timestamptz(3) check (span_end >= span_start),
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint events_in_calendars foreign key (workspace_id, calendar_id) references calendars on delete cascade
      );
      -- A time window: the single events and series of a calendar that may have an occurrence in it. With the firm: otherwise the
      -- planner combines the index with the primary key, and reads the keys of all events of the firm for each calendar.
      create index events_window on events using gist (workspace_id, calendar_id, tstzrange(span_start, span_end, '[]'));
      -- The single events of a calendar by their start, which tell the end of what a crowded window reads.
      create index events_single_start on events (workspace_id, calendar_id, span_start)
        where recurrence_rule is null and added_dates = '[]' and removed_dates = '[]';
      -- An invitation or an import finds the event that it changes.
      create unique index events_uid on events (workspace_id, calendar_id, uid) where uid is not null;

      create table event_overrides (
        workspace_id integer not null,
        event_id bigint not null,
        occurrence_start text collate "C" not null,
        calendar_id integer not null,
        sequence integer not null default 0,
        stamp timestamptz(3),
        cancelled boolean not null default false,
        this_and_future boolean not null default false,
        local_start text,
        local_end text,
        all_day boolean,
        title text,
        description text,
        location text,
        status text check (status in ('confirmed', 'pending')),
        span_start timestamptz(3) not null,
        span_end timestamptz(3) check (span_end >= span_start),
        primary key (workspace_id, event_id, occurrence_start),
        constraint event_overrides_in_events foreign key (workspace_id, event_id) references events on delete cascade,
        constraint event_overrides_in_calendars foreign key (workspace_id, calendar_id) references calendars on delete cascade
      );
      -- A time window: the overrides that may be in it, and those that replace an occurrence in it.
      create index event_overrides_window on event_overrides
        using gist (workspace_id, calendar_id, tstzrange(span_start, span_end, '[]'));

      create table event_tags (
        workspace_id integer not null,
        event_id bigint not null,
        tag_id integer not null,
        primary key (workspace_id, event_id, tag_id),
        constraint event_tags_in_events foreign key (workspace_id, event_id) references events on delete cascade,
        constraint event_tags_in_tags foreign key (workspace_id, tag_id) references tags on delete cascade
      );
      create index event_tags_tag on event_tags (workspace_id, tag_id);

      create table event_reminders (
        workspace_id integer not null,
        event_id bigint not null,
        user_id text collate "C" not null references users on delete cascade,
        minutes_before integer not null check (minutes_before between 0 and 40320),
        channel text not null,
        due_at timestamptz(3),
        done_until timestamptz(3) not null,
        primary key (workspace_id, event_id, user_id, minutes_before, channel),
        constraint event_reminders_in_events foreign key (workspace_id, event_id) references events on delete cascade
      );
      -- The reminders that are due.
      create index event_reminders_due on event_reminders (due_at) where due_at is not null;

      -- Due reminders that were not sent, with the reason.
      create table unsent_reminders (
        workspace_id integer not null,
        id bigserial,
        event_id bigint not null,
        user_id text collate "C" not null references users on delete cascade,
        minutes_before integer not null,
        channel text not null,
        -- When the occurrence starts.
        starts_at timestamptz(3) not null,
        reason text not null check (reason in ('mail_not_set_up', 'unknown_channel', 'too_late', 'invalid_event')),
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint unsent_reminders_in_events foreign key (workspace_id, event_id) references events on delete cascade
      );
      -- Deletion with an event, and with an account in all firms.
      create index unsent_reminders_event on unsent_reminders (workspace_id, event_id);
      create index unsent_reminders_user on unsent_reminders (user_id, created_at);
      -- Pruning.
      create index unsent_reminders_age on unsent_reminders (created_at);

      -- The last version of each invitation whose event is gone, so that an earlier version that arrives late changes nothing.
      create table ended_invitations (
        workspace_id integer not null,
        id bigint generated always as identity,
        user_id text collate "C" not null references users on delete cascade,
        uid text not null,
        -- The recurrence id of an occurrence, null for the whole event.
        occurrence jsonb,
        sender_email text not null,
        organizer_email text,
        sequence integer not null,
        stamp timestamptz(3),
        ended_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      create index ended_invitations_uid on ended_invitations (workspace_id, user_id, uid);
      -- Pruning.
      create index ended_invitations_age on ended_invitations (ended_at);
    `);
  }
}
