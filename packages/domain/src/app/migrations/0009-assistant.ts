import { Migration } from '@mikro-orm/migrations';

/** The tasks of the assistant, and how many replies each firm has used. */
export class Assistant extends Migration {
  override up(): void {
    this.addSql(`
      -- A command of the team, or an answer to a trader's message.
      create table assistant_runs (
        workspace_id integer not null references workspaces on delete cascade,
        id bigserial,
        ticket_id text not null,
        kind text not null check (kind in ('command', 'answer')),
        instruction text,
        -- The account that gave the command.
        asked_by text collate "C",
        state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'failed')),
        -- Whether the firm's allowance covers the run. Otherwise it only writes a note that says so.
        allowed boolean not null default true,
        -- Incremented when a worker takes the run. Only the latest attempt may write.
        attempt integer not null default 0,
        -- The length of the reply's part that is in the log, in UTF-16 units.
        streamed integer not null default 0,
        -- The reply's message, from the first attempt on.
        message_id text,
        -- The status that a failure restores, if the ticket has had no message since last_message_at.
        status_before text not null,
        last_message_at timestamptz(3) not null,
        -- Whether a command has replaced an answer to the trader: when it fails, the answer is requested again.
        replaced_answer boolean not null default false,
        created_at timestamptz(3) not null,
        ended_at timestamptz(3),
        primary key (workspace_id, id),
        constraint assistant_runs_in_tickets foreign key (workspace_id, ticket_id) references tickets on delete cascade,
        constraint assistant_runs_in_ticket_messages
          foreign key (workspace_id, message_id) references ticket_messages,
        check ((kind = 'command') = (instruction is not null)),
        check ((ended_at is not null) = (state in ('done', 'failed')))
      );
      -- The runs of a ticket that have not ended.
      create index assistant_runs_current on assistant_runs (workspace_id, ticket_id, id) where ended_at is null;
      -- Pruning.
      create index assistant_runs_ended on assistant_runs (ended_at) where ended_at is not null;

      -- Not in workspaces: a distributed installation copies that table to every server, and a write to it makes the writes of all
      -- firms wait.
      create table assistant_usage (
        workspace_id integer primary key references workspaces on delete cascade,
        -- The first day of the month to which the number belongs.
        month date not null,
        used integer not null default 0 check (used >= 0)
      );
    `);
  }
}
