import type { BulkChangeAction, BulkSkipReason, Ticket, TicketStatus } from '@firmdesk/contract';
import { MAX_TICKET_TAGS } from '@firmdesk/contract';
import { sql } from 'kysely';
import { selectAvatar } from '../../access/accounts/avatar.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { changeTicket, replaceTags } from '../changes/changes.ts';
import { setLockedStatus } from '../changes/edit-ticket.ts';
import { isEnded } from '../changes/status.ts';
import type { DelayedSendRow, TicketChange, TicketState } from '../ticket-state.ts';

/** A bulk change of one ticket, or what undoes it: a ticket can also get the status `open` back. */
export type TicketAction =
  | Exclude<BulkChangeAction, { set: 'status' }>
  | { set: 'status'; status: TicketStatus };

/** The agents, teams and tags to which actions refer. The tags are in the order of responses. */
export interface ActionTargets {
  agents: ReadonlyMap<string, TicketChange>;
  teams: ReadonlyMap<number, TicketChange>;
  tags: ReadonlyMap<number, Ticket['tags'][number]>;
}

/** Reads the agents, teams and tags of some actions, and the tags `others`. Those that are not of the firm are missing. */
export async function readActionTargets(
  { db }: OperationContext,
  workspaceId: number,
  actions: readonly TicketAction[],
  others: readonly number[] = [],
): Promise<ActionTargets> {
  const agents = new Map<string, TicketChange>();
  const teams = new Map<number, TicketChange>();
  const tags = new Map<number, Ticket['tags'][number]>();
  const agentIds = distinct(actions.map((action) => (action.set === 'assignee' ? action.assignee : null)));
  if (agentIds.length > 0) {
    const { rows } = await sql<{ assignee_id: string } & TicketChange>`
      select u.id as assignee_id, u.name as assignee_name, ${sql.raw(selectAvatar('u'))} as assignee_avatar
      from memberships m join users u on u.id = m.user_id
      where m.workspace_id = ${firmIdOf(workspaceId)} and m.user_id = any(${agentIds}::text[])
        and ${sql.raw(MAY_ANSWER)}`.execute(db);
    for (const row of rows) agents.set(row.assignee_id, row);
  }
  const teamIds = distinct(actions.map((action) => (action.set === 'team' ? action.team : null)));
  if (teamIds.length > 0) {
    const { rows } = await sql<{ team_id: number } & TicketChange>`
      select id as team_id, name as team_name from teams
      where workspace_id = ${workspaceId} and id = any(${teamIds}::integer[])`.execute(db);
    for (const row of rows) teams.set(row.team_id, row);
  }
  const tagIds = distinct([...actions.map((action) => ('tag' in action ? action.tag : null)), ...others]);
  if (tagIds.length > 0) {
    const { rows } = await sql<Ticket['tags'][number]>`
      select id, name, color from tags
      where workspace_id = ${workspaceId} and id = any(${tagIds}::integer[]) and deleted_at is null
      order by lower(name), id`.execute(db);
    for (const row of rows) tags.set(row.id, row);
  }
  return { agents, teams, tags };
}

function distinct<Id>(ids: readonly (Id | null)[]): Id[] {
  return [...new Set(ids)].filter((id) => id !== null);
}

/** Returns what an action sets; undefined if its agent, team or tag does not exist. */
export function findAction(
  action: TicketAction,
  { agents, teams, tags }: ActionTargets,
): TicketChange | Ticket['tags'][number] | undefined {
  switch (action.set) {
    case 'assignee':
      return action.assignee === null
        ? { assignee_id: null, assignee_name: null, assignee_avatar: null }
        : agents.get(action.assignee);
    case 'team':
      return action.team === null ? { team_id: null, team_name: null } : teams.get(action.team);
    case 'priority':
      return { priority: action.priority };
    case 'status':
      return { status: action.status };
    case 'add_tag':
    case 'remove_tag':
      return tags.get(action.tag);
  }
}

/** Returns the action that gives a ticket its present value back. */
export function inverseAction(action: BulkChangeAction, ticket: TicketState): TicketAction {
  switch (action.set) {
    case 'assignee':
      return { set: 'assignee', assignee: ticket.assignee_id };
    case 'team':
      return { set: 'team', team: ticket.team_id };
    case 'priority':
      return { set: 'priority', priority: ticket.priority };
    case 'status':
      return { set: 'status', status: ticket.status };
    case 'add_tag':
      return { set: 'remove_tag', tag: action.tag };
    case 'remove_tag':
      return { set: 'add_tag', tag: action.tag };
  }
}

/** Returns whether the ticket has the value that an action sets. */
export function hasValue(action: TicketAction, ticket: TicketState): boolean {
  switch (action.set) {
    case 'assignee':
      return ticket.assignee_id === action.assignee;
    case 'team':
      return ticket.team_id === action.team;
    case 'priority':
      return ticket.priority === action.priority;
    case 'status':
      return ticket.status === action.status;
    case 'add_tag':
    case 'remove_tag':
      return (ticket.tags ?? []).some(({ id }) => id === action.tag) === (action.set === 'add_tag');
  }
}

interface LockedTicket {
  ticket: TicketState;
  delayed: readonly DelayedSendRow[];
}

/** Changes a locked ticket. Returns null, or why it was left as it is. */
export async function applyAction(
  ctx: OperationContext,
  { ticket, delayed }: LockedTicket,
  action: TicketAction,
  targets: ActionTargets,
  by: string | null,
): Promise<BulkSkipReason | null> {
  if (action.set === 'status' && isEnded(ticket.status)) return 'ended';
  const value = findAction(action, targets);
  if (value === undefined) return 'value_gone';
  if (hasValue(action, ticket)) return 'unchanged';
  if (action.set === 'add_tag' || action.set === 'remove_tag') {
    const ids = new Set((ticket.tags ?? []).map(({ id }) => id));
    if (action.set === 'remove_tag') ids.delete(action.tag);
    else if (ids.size >= MAX_TICKET_TAGS) return 'too_many_tags';
    else ids.add(action.tag);
    await replaceTags(
      ctx,
      ticket,
      [...targets.tags.values()].filter(({ id }) => ids.has(id)),
      by,
    );
  } else if (action.set === 'status' && action.status !== 'open') {
    await setLockedStatus(ctx, { ticket, delayed }, action.status, { by, notifies: false });
  } else {
    await changeTicket(ctx, ticket, value as TicketChange, by);
  }
  return null;
}

/** Gives a locked ticket the value back that it had before an action. Returns null, or why it was left as it is. */
export async function undoAction(
  ctx: OperationContext,
  locked: LockedTicket,
  { action, inverse }: { action: BulkChangeAction; inverse: TicketAction },
  targets: ActionTargets,
  by: string,
): Promise<BulkSkipReason | null> {
  const { ticket } = locked;
  // A ticket that was reopened and merged later has the same status, but its messages were moved to another ticket.
  const isMerged = inverse.set === 'status' && ticket.merged_into !== null;
  if (isMerged || !hasValue(action, ticket)) return 'changed_since';
  if (inverse.set !== 'status') return applyAction(ctx, locked, inverse, targets, by);
  await changeTicket(ctx, ticket, { status: inverse.status }, by, { notifies: false });
  return null;
}
