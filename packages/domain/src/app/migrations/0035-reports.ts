import { distributeNewTable } from './new-firm-table.ts';
import { OnlineMigration } from './online-migration.ts';

/** Figures of each day, what they are counted from, and how satisfied traders were. */
export class Reports extends OnlineMigration {
  override async up(): Promise<void> {
    await this.query(`
      -- The business time that the ticket had awaited the team when that first replied.
      alter table tickets add column if not exists first_response_seconds integer`);
    await this.query(`
      -- The macros from which a reply was written.
      alter table ticket_messages add column if not exists macro_ids text[]`);
    await this.buildIndex(
      'tickets_ended',
      'tickets (workspace_id, closed_at) where closed_at is not null',
      false,
    );
    await this.buildIndex(
      'tickets_merged',
      'tickets (workspace_id, merged_into) where merged_into is not null',
      false,
    );
    await this.query(`
      -- The figures of a local day, a team, and a value of a dimension. Counted again from the tickets, never corrected.
      create table if not exists report_days (
        workspace_id integer not null,
        dimension text not null check (dimension = any ('{all,tag,language,agent,macro}')),
        -- The id of the team, also of one that was deleted. 0: no team. -1: all tickets.
        team integer not null,
        day date not null,
        -- The id of the tag, agent or macro, or the language; empty for all.
        value text collate "C" not null,
        created integer not null,
        -- The tickets created in each hour.
        hours integer[] not null,
        -- Durations: the numbers of buckets, each followed by how many durations are in it.
        first_responses integer[] not null,
        resolutions integer[] not null,
        reply_times integer[] not null,
        first_response_met integer not null,
        first_response_missed integer not null,
        resolution_met integer not null,
        resolution_missed integer not null,
        ended integer not null,
        ended_by_assistant integer not null,
        ended_after_handover integer not null,
        assistant_answers integer not null,
        replies integer not null,
        uses integer not null,
        -- The scores of satisfaction, each followed by how many have it.
        scores integer[] not null,
        primary key (workspace_id, dimension, team, day, value)
      )`);
    await this.query(distributeNewTable('report_days'));
    await this.query(`
      create table if not exists report_progress (
        workspace_id integer primary key,
        -- The time zone, the business hours and the targets with which all days were counted.
        settings jsonb not null,
        counted_at timestamptz(3) not null,
        -- When all days were last counted again.
        recounted_at timestamptz(3) not null
      )`);
    await this.query(distributeNewTable('report_progress'));
    for (const table of ['report_days', 'report_progress'])
      await this.addConstraint(
        table,
        `${table}_workspace_id_fkey`,
        'foreign key (workspace_id) references workspaces on delete cascade',
      );
    await this.query(`
      -- Whether traders are asked how satisfied they were.
      alter table workspaces add column if not exists asks_satisfaction boolean not null default false`);
    await this.query(`
      create table if not exists ticket_ratings (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        -- When the trader was asked by mail.
        asked_at timestamptz(3),
        -- Null until the trader answers.
        score smallint check (score between 1 and 5),
        comment text not null default '',
        rated_at timestamptz(3),
        primary key (workspace_id, ticket_id)
      )`);
    await this.query(distributeNewTable('ticket_ratings'));
    await this.addConstraint(
      'ticket_ratings',
      'ticket_ratings_in_tickets',
      'foreign key (workspace_id, ticket_id) references tickets on delete cascade',
    );
    await this.buildIndex(
      'ticket_ratings_rated',
      'ticket_ratings (workspace_id, rated_at) where rated_at is not null',
      false,
    );
  }
}
