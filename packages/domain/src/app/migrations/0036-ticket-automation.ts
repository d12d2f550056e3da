import { Migration } from '@mikro-orm/migrations';
import { distributeNewTable } from './new-firm-table.ts';

/** Automatic assignment of tickets, and the firm's rules for tickets. */
export class TicketAutomation extends Migration {
  override up(): void {
    this.addSql(`
      -- What a change of a ticket must start, so that it is known without reading the rules and the teams; null for nothing.
      alter table workspaces add column ticket_automation jsonb`);
    this.addSql(`alter table teams add column assignment text not null default 'off'`);
    this.addSql(`
      -- An agent without a row is available, without a limit.
      create table agent_availability (
        workspace_id integer not null,
        user_id text collate "C" not null,
        available boolean not null,
        -- The most tickets that are assigned automatically; null without a limit.
        ticket_limit integer,
        primary key (workspace_id, user_id)
      )`);
    this.addSql(`
      -- When the agents of a team last got a ticket, as a number that grows with each assignment.
      create table assignment_turns (
        workspace_id integer not null,
        team_id integer not null,
        user_id text collate "C" not null,
        turn bigint not null,
        primary key (workspace_id, team_id, user_id)
      )`);
    this.addSql(`
      -- The tickets of teams that wait for an agent, in the order of their arrival.
      create table waiting_assignments (
        workspace_id integer not null,
        ticket_id text collate "C" not null,
        team_id integer not null,
        position bigint generated always as identity,
        primary key (workspace_id, ticket_id)
      )`);
    this.addSql(`
      create index waiting_assignments_order on waiting_assignments (workspace_id, position)`);
    this.addSql(`
      create table ticket_rules (
        workspace_id integer not null,
        id text collate "C" not null,
        position integer not null,
        name text not null,
        is_on boolean not null,
        trigger jsonb not null,
        conditions jsonb not null,
        actions jsonb not null,
        -- Whether the later rules are left out after it.
        stops boolean not null,
        -- The account that last saved it, which is told when it fails.
        author_id text collate "C" not null,
        -- Why it has switched itself off.
        paused_because text,
        created_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      -- What happened to tickets, until the rules have run for it.
      create table rule_events (
        workspace_id integer not null,
        id bigint generated always as identity,
        ticket_id text collate "C" not null,
        kind text not null,
        body jsonb not null,
        -- The ids of the rules that caused it, which do not run for it.
        chain text[] not null,
        -- When it happened, or will.
        due_at timestamptz(3) not null,
        primary key (workspace_id, id)
      )`);
    this.addSql(`
      create index rule_events_ticket on rule_events (workspace_id, ticket_id, id)`);
    this.addSql(`
      create index rule_events_due on rule_events (due_at)`);
    this.addSql(`
      -- How many effects the firm's rules have had in an hour.
      create table rule_usage (
        workspace_id integer not null,
        hour timestamptz(0) not null,
        effects integer not null,
        primary key (workspace_id)
      )`);
    this.addSql(distributeNewTable('agent_availability'));
    this.addSql(distributeNewTable('assignment_turns'));
    this.addSql(distributeNewTable('waiting_assignments'));
    this.addSql(distributeNewTable('ticket_rules'));
    this.addSql(distributeNewTable('rule_events'));
    this.addSql(distributeNewTable('rule_usage'));
    for (const table of [
      'agent_availability',
      'assignment_turns',
      'waiting_assignments',
      'ticket_rules',
      'rule_events',
      'rule_usage',
    ])
      this.addSql(`alter table ${table} add constraint ${table}_workspace_id_fkey
        foreign key (workspace_id) references workspaces on delete cascade`);
    for (const table of ['agent_availability', 'assignment_turns'])
      this.addSql(`alter table ${table} add constraint ${table}_user_id_fkey
        foreign key (user_id) references users on delete cascade`);
    for (const table of ['assignment_turns', 'waiting_assignments'])
      this.addSql(`alter table ${table} add constraint ${table}_in_teams
        foreign key (workspace_id, team_id) references teams on delete cascade`);
    for (const table of ['waiting_assignments', 'rule_events'])
      this.addSql(`alter table ${table} add constraint ${table}_in_tickets
        foreign key (workspace_id, ticket_id) references tickets on delete cascade`);
  }
}
