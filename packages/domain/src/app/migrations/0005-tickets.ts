import { Migration } from '@mikro-orm/migrations';

/**
 * Teams, tickets in their queue order, their messages, tags, links and followers.
 *
 * The checks of tickets and messages list their values as a constant array, not with `in`: PostgreSQL reads the stored expression of
 * each check anew in every statement that writes a row, and `in` stores an expression for each value.
 */
export class Tickets extends Migration {
  override up(): void {
    this.addSql(`
      create table teams (
        workspace_id integer not null references workspaces on delete cascade,
        id serial,
        name text not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      );
      create unique index teams_name on teams (workspace_id, lower(name));

      create table team_members (
        workspace_id integer not null,
        team_id integer not null,
        user_id text collate "C" not null references users on delete cascade,
        primary key (workspace_id, team_id, user_id),
        constraint team_members_in_teams foreign key (workspace_id, team_id) references teams on delete cascade
      );
      -- The teams of one agent (assignee=me).
      create index team_members_user on team_members (workspace_id, user_id, team_id);

      -- The queue (contract §4.7) is one total order over generated columns, so that a page is a range of an index, and every
      -- write keeps the order correct:
      -- queue_rank: tickets that wait for the team by priority, then those of the assistant, of the trader, and ended ones.
      -- queue_key (ms): for tickets that wait for the team, the longest wait first; for others, the latest activity first.
      -- queue_tie: the id, ascending for tickets that wait for the team. For others descending: with the reversed alphabet,
      -- and a last character that sorts after all others, because in descending order an id comes before its prefixes.
      create table tickets (
        workspace_id integer not null references workspaces on delete cascade,
        id text collate "C" not null,
        number text collate "C" not null generated always as (upper(right(id, 6))) stored,
        trader_id text collate "C" not null references users,
        subject text not null,
        status text not null,
        priority text not null default 'normal',
        ai_enabled boolean not null default true,
        ai_blocked boolean not null default false,
        assignee_id text collate "C" references users on delete set null,
        team_id integer,
        unread integer not null default 0 check (unread >= 0),
        last_from text,
        last_message_at timestamptz(3) not null,
        trader_wrote_at timestamptz(3) not null,
        created_at timestamptz(3) not null,
        closed_at timestamptz(3),
        -- The ticket that this one was merged into.
        merged_into text collate "C",
        -- The snooze: since when, until when (null: until the trader writes), and when the last one ended.
        snoozed_at timestamptz(3),
        snoozed_until timestamptz(3),
        woken_at timestamptz(3),
        -- The clock of the service targets, and the due times that follow from it.
        waiting_since timestamptz(3),
        waited_seconds integer not null default 0,
        first_responded_at timestamptz(3),
        first_response_warned boolean not null default false,
        resolution_warned boolean not null default false,
        first_response_due_at timestamptz(3),
        resolution_due_at timestamptz(3),
        -- The earlier of the two; the year 9999 sorts a ticket without one after all others.
        next_due_at timestamptz(3) not null default '9999-12-31 00:00+00',
        due_warning_at timestamptz(3),
        -- Lower-case words separated by single spaces. Whoever changes the text sets search_pending: it is not yet in the postings.
        search_text text not null,
        search_pending boolean not null default true,
        -- The ticket in postings. Consecutive in the firm; null until the ticket is indexed for search.
        search_number integer,
        -- Higher is more urgent, so that all columns of the sort by priority descend and a page is one row comparison.
        urgency smallint not null generated always as (
          case priority when 'urgent' then 3 when 'high' then 2 when 'normal' then 1 else 0 end
        ) stored,
        queue_rank smallint not null generated always as (
          case status
            when 'awaiting_admin' then
              case priority when 'urgent' then 0 when 'high' then 1 when 'normal' then 2 else 3 end
            when 'open' then 4
            when 'awaiting_trader' then 5
            else 6
          end
        ) stored,
        queue_key bigint not null generated always as (
          case when status = 'awaiting_admin'
            then (extract(epoch from (trader_wrote_at - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
            else -(extract(epoch from (last_message_at - timestamptz '1970-01-01 00:00:00+00')) * 1000)::bigint
          end
        ) stored,
        queue_tie text collate "C" not null generated always as (
          case when status = 'awaiting_admin' then id
            else translate(id,
              '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
              'zyxwvutsrqponmlkjihgfedcba_ZYXWVUTSRQPONMLKJIHGFEDCBA9876543210') || '~'
          end
        ) stored,
        primary key (workspace_id, id),
        constraint tickets_in_teams foreign key (workspace_id, team_id) references teams,
        constraint tickets_status_values check (status = any ('{open,awaiting_admin,awaiting_trader,resolved,closed}')),
        constraint tickets_priority_values check (priority = any ('{urgent,high,normal,low}')),
        constraint tickets_last_from_values check (last_from = any ('{trader,admin,ai,system}')),
        constraint tickets_closed_if_ended check ((closed_at is not null) = (status = any ('{resolved,closed}')))
      );
      -- A ticket number is unique in its firm, and can be searched for.
      create unique index tickets_number on tickets (workspace_id, number);
      create index tickets_queue on tickets (workspace_id, queue_rank, queue_key, queue_tie);
      -- The snoozed tickets in the queue's order: their list, and how many to leave out of the counts.
      create index tickets_snoozed on tickets (workspace_id, queue_rank, queue_key, queue_tie) where snoozed_at is not null;
      -- The other sorts, each with the id as its last column.
      create index tickets_activity on tickets (workspace_id, last_message_at desc, id desc);
      create index tickets_created on tickets (workspace_id, created_at desc, id desc);
      create index tickets_priority on tickets (workspace_id, urgency desc, last_message_at desc, id desc);
      create index tickets_next_due on tickets (workspace_id, next_due_at, id);
      -- The queue of an agent or team, and of unassigned tickets.
      create index tickets_assignee on tickets (workspace_id, assignee_id, queue_rank, queue_key, queue_tie);
      create index tickets_team on tickets (workspace_id, team_id, queue_rank, queue_key, queue_tie);
      -- A trader's other tickets.
      create index tickets_trader on tickets (workspace_id, trader_id, created_at desc, id desc);
      -- The tickets of all firms of which the team is to be warned.
      create index tickets_due_warning on tickets (due_warning_at) where due_warning_at is not null;
      -- The texts that search reads as they are, and the tickets by their number in postings.
      create index tickets_search_pending on tickets (workspace_id, id) where search_pending;
      create unique index tickets_search_number on tickets (workspace_id, search_number);

      -- No reference to the firm, which that to the ticket implies: each new message would lock the row of the firm.
      create table ticket_messages (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        from_kind text not null,
        author_id text collate "C" references users on delete set null,
        author text not null,
        body text not null,
        image_url text,
        image_name text,
        -- The files as clients see them.
        attachments jsonb not null default '[]',
        internal boolean not null default false,
        streaming boolean not null default false,
        via_email boolean not null default false,
        event text,
        -- The colleagues whom a note mentions.
        mentions text[],
        read_at timestamptz(3),
        created_at timestamptz(3) not null,
        search_text text not null,
        search_pending boolean not null default true,
        primary key (workspace_id, id),
        constraint ticket_messages_in_tickets foreign key (workspace_id, ticket_id) references tickets on delete cascade,
        constraint ticket_messages_from_kind_values check (from_kind = any ('{trader,admin,ai,system}'))
      );
      -- A conversation, in order.
      create index ticket_messages_order on ticket_messages (workspace_id, ticket_id, created_at, id);
      -- The messages that the team has not read.
      create index ticket_messages_read_pending on ticket_messages (workspace_id, ticket_id)
        where read_at is null and not internal and from_kind in ('trader', 'ai');
      -- The tickets with an image, without reading the messages of all others.
      create index ticket_messages_with_image on ticket_messages (workspace_id, ticket_id) where image_url is not null;
      create index ticket_messages_search_pending on ticket_messages (workspace_id, ticket_id) where search_pending;

      create table ticket_tags (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        tag_id integer not null,
        primary key (workspace_id, ticket_id, tag_id),
        constraint ticket_tags_in_tickets foreign key (workspace_id, ticket_id) references tickets on delete cascade,
        constraint ticket_tags_in_tags foreign key (workspace_id, tag_id) references tags on delete cascade
      );
      -- The tickets of one tag.
      create index ticket_tags_tag on ticket_tags (workspace_id, tag_id, ticket_id);

      -- Two rows for each link.
      create table ticket_links (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        other_id text collate "C" not null,
        created_at timestamptz(3) not null,
        primary key (workspace_id, ticket_id, other_id),
        constraint ticket_links_ticket_id_fkey foreign key (workspace_id, ticket_id) references tickets on delete cascade,
        constraint ticket_links_other_id_fkey foreign key (workspace_id, other_id) references tickets on delete cascade
      );
      create index ticket_links_other on ticket_links (workspace_id, other_id);

      create table ticket_followers (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        user_id text collate "C" not null references users on delete cascade,
        created_at timestamptz(3) not null,
        primary key (workspace_id, ticket_id, user_id),
        constraint ticket_followers_ticket_fkey foreign key (workspace_id, ticket_id) references tickets on delete cascade
      );
      create index ticket_followers_by_user on ticket_followers (workspace_id, user_id);
    `);
  }
}
