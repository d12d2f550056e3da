import { Migration } from '@mikro-orm/migrations';

/** The event log of tickets with its notifications, and the assistant's runs. */
export class Live extends Migration {
  override up(): void {
    this.addSql(`
      -- The events of tickets, in order. A row gets its position when its transaction commits, one transaction after another.
      -- So after position n was read, no row can appear at or below n.
      -- No foreign keys: a row is stored for a day, and a reply appends twenty rows per second.
      create table live_events (
        id bigint generated always as identity primary key,
        position bigint,
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        type text not null,
        body jsonb not null,
        created_at timestamptz(3) not null
      );
      -- Every process reads the log after a position. A row enters this index and the next two once: when it gets its position.
      create unique index live_events_position on live_events (position) where position is not null;
      -- Resumes the stream of a ticket.
      create index live_events_ticket on live_events (ticket_id, position) where position is not null;
      -- Resumes the stream of a firm's inbox.
      create index live_events_inbox on live_events (workspace_id, position)
        where type = 'ticket.updated' and position is not null;
      -- Pruning. BRIN, because rows are stored in the order of their age.
      create index live_events_age on live_events using brin (created_at);
      create sequence live_positions;

      -- One row: the last pruned position. A client that resumes before it gets a resync.
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

      -- The assistant's tasks: a command of the team, or an answer to a trader's message.
      create table assistant_runs (
        id bigint generated always as identity primary key,
        workspace_id integer not null references workspaces on delete cascade,
        ticket_id text not null references tickets on delete cascade,
        kind text not null check (kind in ('command', 'answer')),
        instruction text,
        state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
        -- Whether the firm's allowance covers the run. Otherwise it only writes a note that says so.
        allowed boolean not null default true,
        -- Incremented when a worker takes the run. Only the latest attempt may write.
        attempt integer not null default 0,
        -- The length of the reply's part that is in the log, in UTF-16 units.
        streamed integer not null default 0,
        -- The reply's message, from the first attempt on.
        message_id text references ticket_messages on delete set null,
        -- The status that a failure restores, if the ticket has had no message since last_message_at.
        status_before text not null,
        last_message_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        check ((kind = 'command') = (instruction is not null)),
        check ((ended_at is not null) = (state in ('done', 'failed')))
      );
      -- The runs of a ticket that have not ended.
      create index assistant_runs_pending on assistant_runs (ticket_id, id) where ended_at is null;
      -- Pruning. BRIN, because rows are stored in the order of their age.
      create index assistant_runs_age on assistant_runs using brin (ended_at);
    `);
  }
}
