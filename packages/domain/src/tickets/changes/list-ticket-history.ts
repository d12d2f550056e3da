import type {
  AssignmentMode,
  ListTicketHistoryInput,
  TicketHistoryEntry,
  TicketHistoryPage,
  TicketPropertyChange,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ERASED } from '../../access/accounts/erase-identity.ts';
import type { TicketAction } from '../../access/audit/audit.ts';
import type { Actor } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { RecordedReason, TrackedProperties } from './history.ts';

interface EventRow {
  id: number;
  created_at: string;
  actor_kind: Actor['kind'];
  actor: string | null;
  action: TicketAction;
  before: Partial<TrackedProperties>;
  after: Partial<TrackedProperties> & RecordedReason;
}

/** The names of the accounts, teams and tags that are in the rows of a page. */
interface Names {
  users: ReadonlyMap<string, string>;
  teams: ReadonlyMap<number, string>;
  tags: ReadonlyMap<number, { name: string; color: string }>;
  rules: ReadonlyMap<string, string>;
}

const BY_MESSAGE: TicketAction = 'ticket.changed_by_message';

/** Returns a page of a ticket's history, newest first, with the names of today. Throws `resource_not_found`. */
export async function listTicketHistory(
  ctx: AccountContext,
  { ticket, limit, starting_after, include_automatic }: z.infer<typeof ListTicketHistoryInput>,
): Promise<TicketHistoryPage> {
  const firm = ctx.workspace.id;
  const before = starting_after ?? null;
  const db = ctx.db;
  const found = await db
    .selectFrom('tickets')
    .select('id')
    .where('workspace_id', '=', firm)
    .where('id', '=', ticket)
    .executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  const { rows } = await sql<EventRow>`
      select id, created_at, actor_kind, actor, action, before, after from audit_events
      where workspace_id = ${firm} and target_id = ${ticket} and target_type = 'ticket'
        and (${include_automatic} or action <> ${BY_MESSAGE})
        and (${before}::bigint is null or id < ${before}::bigint)
      order by id desc limit ${limit + 1}`.execute(db);
  const shown = rows.slice(0, limit);
  const names = await readNames(ctx, shown);
  const hasMore = rows.length > limit;
  return {
    data: shown.map((row) => toEntry(row, names)),
    meta: { has_more: hasMore, next_cursor: hasMore ? String(shown.at(-1)!.id) : null },
  };
}

async function readNames({ db, workspace }: AccountContext, rows: readonly EventRow[]): Promise<Names> {
  const users = new Set<string>();
  const teams = new Set<number>();
  const tags = new Set<number>();
  const rules = new Set<string>();
  for (const { actor_kind, actor, before, after } of rows) {
    if (actor_kind === 'account' && actor !== null) users.add(actor);
    if (after.rule) rules.add(after.rule);
    for (const values of [before, after]) {
      if (values.assignee_id) users.add(values.assignee_id);
      if (values.team_id) teams.add(values.team_id);
      for (const id of values.tags ?? []) tags.add(id);
    }
  }
  if (users.size + teams.size + tags.size + rules.size === 0) {
    return { users: new Map(), teams: new Map(), tags: new Map(), rules: new Map() };
  }
  const found = await sql<{ kind: keyof Names; id: string; name: string; color: string }>`
    select 'users' as kind, id, name, '' as color from users where id = any(${[...users]}::text[])
    union all
    select 'teams', id::text, name, '' from teams where workspace_id = ${workspace.id} and id = any(${[...teams]}::integer[])
    union all
    select 'tags', id::text, name, color from tags
    where workspace_id = ${workspace.id} and id = any(${[...tags]}::integer[])
    union all
    select 'rules', id, name, '' from ticket_rules
    where workspace_id = ${workspace.id} and id = any(${[...rules]}::text[])`.execute(db);
  const of = (kind: keyof Names) => found.rows.filter((row) => row.kind === kind);
  return {
    users: new Map(of('users').map(({ id, name }) => [id, name])),
    teams: new Map(of('teams').map(({ id, name }) => [Number(id), name])),
    tags: new Map(of('tags').map(({ id, name, color }) => [Number(id), { name, color }])),
    rules: new Map(of('rules').map(({ id, name }) => [id, name])),
  };
}

function toEntry(row: EventRow, names: Names): TicketHistoryEntry {
  return {
    object: 'ticket_history_entry',
    id: String(row.id),
    created_at: row.created_at,
    author: authorOf(row, names),
    reason: reasonOf(row, names),
    automatic: row.action === BY_MESSAGE,
    changes: changesOf(row, names),
  };
}

function authorOf({ actor_kind, actor }: EventRow, { users }: Names): TicketHistoryEntry['author'] {
  if (actor === null) return null;
  if (actor_kind === 'operator') return { id: null, name: actor };
  return { id: actor, name: users.get(actor) ?? ERASED.name };
}

function reasonOf({ after }: EventRow, { rules }: Names): TicketHistoryEntry['reason'] {
  if (after.rule) return { kind: 'rule', id: after.rule, name: rules.get(after.rule) ?? 'Deleted rule' };
  if (!after.assignment) return null;
  return { kind: 'assignment', mode: after.assignment as Exclude<AssignmentMode, 'off'> };
}

function changesOf({ before, after }: EventRow, names: Names): TicketPropertyChange[] {
  const changes: TicketPropertyChange[] = [];
  const person = (id: string | null | undefined) =>
    id ? { id, name: names.users.get(id) ?? ERASED.name } : null;
  const team = (id: number | null | undefined) =>
    id ? { id, name: names.teams.get(id) ?? 'Deleted team' } : null;
  const without = (ids: readonly number[] | null = [], others: readonly number[] | null = []) =>
    (ids ?? [])
      .filter((id) => !others?.includes(id))
      .map((id) => ({ id, name: 'Deleted tag', color: '#8a8f98', ...names.tags.get(id) }));
  const other = (id: string) => ({ id, number: `#${id.slice(-6).toUpperCase()}` });
  if (after.status) changes.push({ property: 'status', before: before.status!, after: after.status });
  if (after.priority) {
    changes.push({ property: 'priority', before: before.priority!, after: after.priority });
  }
  if (after.assignee_id !== undefined) {
    const [was, is] = [person(before.assignee_id), person(after.assignee_id)];
    changes.push({ property: 'assignee', before: was, after: is });
  }
  if (after.team_id !== undefined) {
    changes.push({ property: 'team', before: team(before.team_id), after: team(after.team_id) });
  }
  if (after.tags) {
    const [added, removed] = [without(after.tags, before.tags), without(before.tags, after.tags)];
    changes.push({ property: 'tags', added, removed });
  }
  if (after.ai_enabled !== undefined) changes.push({ property: 'assistant', after: after.ai_enabled });
  if (after.ai_blocked !== undefined) {
    changes.push({ property: 'assistant_blocked', after: after.ai_blocked });
  }
  if (after.merged_into) changes.push({ property: 'merged_into', ticket: other(after.merged_into) });
  if (after.merged_from) changes.push({ property: 'merged_from', ticket: other(after.merged_from) });
  if (after.rule_effect) changes.push({ property: 'rule_effect', effect: after.rule_effect });
  return changes;
}
