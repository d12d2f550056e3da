import { Migration } from '@mikro-orm/migrations';

/** The event log of tickets with its notifications, and the assistant's runs. */
export class Live extends Migration {
  override up(): void {
    this.addSql(`
      -- What the viewers of a ticket see, in order. A row gets its position when its transaction commits, one transaction
      -- after another: whoever has read position n has missed nothing below n, and nothing will appear there later.
      -- No foreign keys: a row lives for a day, and a reply appends twenty of them a second.
      create table live_events (
        id bigint generated always as identity primary key,
        position bigint,
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        type text not null,
        body jsonb not null,
        created_at timestamptz(3) not null
      );
      -- Followed by every process; read after a position. A row enters these once, when it is placed.
      create unique index live_events_position on live_events (position) where position is not null;
      -- Where one ticket's viewer resumes.
      create index live_events_ticket on live_events (ticket_id, position) where position is not null;
      -- Where the viewer of a firm's inbox resumes.
      create index live_events_inbox on live_events (workspace_id, position)
        where type = 'ticket.updated' and position is not null;
      -- Pruning: rows lie in the order of their age.
      create index live_events_age on live_events using brin (created_at);
      create sequence live_positions;

      -- One row: positions up to this one are gone, so that one who was away for longer is told.
      create table live_horizon (
        only_row boolean primary key default true check (only_row),
        pruned_through bigint not null default 0
      );
      insert into live_horizon default values;

      create function place_live_event() returns trigger language plpgsql as $$
      begin
        perform pg_advisory_xact_lock(4001736);
        update live_events set position = nextval('live_positions') where id = new.id;
        perform pg_notify('firmdesk', 'log');
        return null;
      end $$;
      create constraint trigger live_events_place after insert on live_events
        deferrable initially deferred for each row execute function place_live_event();

      -- What the assistant was asked to write: by the team (a command), or by a trader's message (an answer).
      create table assistant_runs (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces on delete cascade,
        ticket_id text not null references tickets on delete cascade,
        kind text not null check (kind in ('command', 'answer')),
        instruction text,
        state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
        -- Within the firm's allowance; a run beyond it only notes that.
        allowed boolean not null default true,
        -- Counts up as workers take it; only the latest may write.
        attempt integer not null default 0,
        -- How much of the reply the log has, in UTF-16 units.
        streamed integer not null default 0,
        -- The reply's message, from the first attempt on.
        message_id text references ticket_messages on delete set null,
        -- What a failure puts back, if nothing has moved the ticket since.
        status_before text not null,
        last_message_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        check ((kind = 'command') = (instruction is not null)),
        check ((ended_at is not null) = (state in ('done', 'failed')))
      );
      -- The runs of a ticket that have not ended.
      create index assistant_runs_pending on assistant_runs (ticket_id, id) where ended_at is null;
      -- Pruning: rows lie in the order of their age.
      create index assistant_runs_age on assistant_runs using brin (ended_at);
    `);
  }
}
