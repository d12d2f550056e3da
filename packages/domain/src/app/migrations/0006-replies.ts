import { Migration } from '@mikro-orm/migrations';

/** Prepared replies, replies that wait or are not sent yet, and the files of messages. */
export class Replies extends Migration {
  override up(): void {
    this.addSql(`
      -- Prepared replies, with the changes that are made when one is sent.
      create table macros (
        workspace_id integer not null,
        id text collate "C" not null,
        position integer not null,
        name text not null,
        name_key text not null,
        -- The team that uses it; null for all.
        team_id integer,
        -- The text in each language.
        texts jsonb not null,
        tag_ids integer[] not null,
        status text,
        priority text,
        assigns_author boolean not null,
        assignee_id text collate "C" references users,
        used integer not null default 0,
        last_used_at timestamptz(3),
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint macros_team_fkey foreign key (workspace_id, team_id) references teams
      );
      create unique index macros_name on macros (workspace_id, name_key);

      -- Replies that their author can still take back.
      create table held_replies (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        author_id text collate "C" not null,
        author text not null,
        body text not null,
        image_url text,
        image_name text,
        attachments jsonb not null default '[]',
        -- What is changed with the reply, and the macros that it contains.
        actions jsonb,
        macro_ids text[],
        -- Until which message the author has seen the ticket; null to send the reply in any case.
        seen_through timestamptz(3),
        created_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint held_replies_ticket_fkey foreign key (workspace_id, ticket_id) references tickets on delete cascade
      );
      create index held_replies_by_ticket on held_replies (workspace_id, ticket_id);

      -- Held replies that may no longer be sent: drafts of their tickets for the team.
      create table unsent_replies (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C" not null,
        author_id text collate "C" not null,
        author text not null,
        text text not null,
        image_url text not null,
        image_name text not null,
        attachments jsonb not null,
        macros jsonb,
        reason text not null,
        written_at timestamptz(3) not null,
        unsent_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint unsent_replies_ticket_fkey foreign key (workspace_id, ticket_id) references tickets on delete cascade,
        constraint unsent_replies_author_fkey foreign key (author_id) references users
      );
      create index unsent_replies_by_ticket on unsent_replies (workspace_id, ticket_id);
      -- Pruning.
      create index unsent_replies_age on unsent_replies (unsent_at);

      -- Replies and notes that are being written.
      create table reply_drafts (
        workspace_id integer not null,
        id bigint generated always as identity,
        user_id text collate "C" not null references users on delete cascade,
        ticket_id text collate "C" not null,
        mode text not null check (mode in ('reply', 'note')),
        text text not null,
        image_url text not null,
        image_name text not null,
        macros jsonb,
        -- Changes with each save.
        version text not null,
        updated_at timestamptz(3) not null,
        primary key (workspace_id, id),
        constraint reply_drafts_key unique (workspace_id, user_id, ticket_id, mode),
        constraint reply_drafts_ticket_fkey foreign key (workspace_id, ticket_id) references tickets on delete cascade
      );
      create index reply_drafts_by_ticket on reply_drafts (workspace_id, ticket_id);
      -- Pruning.
      create index reply_drafts_age on reply_drafts (updated_at);

      -- Files of tickets and of received mail: what the service needs to store, find and delete their contents. Messages have what
      -- clients show. A file belongs to a ticket, to a message of mail, or to neither while a delivery stores it.
      create table attachments (
        workspace_id integer not null,
        id text collate "C" not null,
        ticket_id text collate "C",
        mail_message_id text collate "C",
        uploader_id text collate "C",
        -- The message or held reply of the ticket that contains the file; null until it is sent.
        part_of text collate "C",
        name text not null,
        type text,
        size integer not null,
        -- Each upload writes a content of its own, so that a late one cannot replace what a message contains. content names the
        -- stored one, and is null for a file of mail; uploads names those that may be in the store and are not part of the file.
        content text collate "C",
        uploads text[] not null default '{}',
        created_at timestamptz(3) not null,
        uploaded_at timestamptz(3),
        -- Since when a job may delete the contents.
        deleted_at timestamptz(3),
        primary key (workspace_id, id),
        constraint attachments_ticket_fkey foreign key (workspace_id, ticket_id) references tickets,
        constraint attachments_mail_message_fkey foreign key (workspace_id, mail_message_id) references mail_messages,
        constraint attachments_uploader_fkey foreign key (uploader_id) references users
      );
      create index attachments_by_ticket on attachments (workspace_id, ticket_id);
      create index attachments_by_mail on attachments (workspace_id, mail_message_id) where mail_message_id is not null;
      create index attachments_by_uploader on attachments (workspace_id, uploader_id);
      -- Pruning of files that were not sent, and of deleted ones.
      create index attachments_unsent on attachments (created_at) where part_of is null;
      create index attachments_deleted on attachments (deleted_at) where deleted_at is not null;
    `);
  }
}
