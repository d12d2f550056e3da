import {
  type CreateTeamInput,
  type DeleteTeamInput,
  type FirmTeam,
  MAX_TEAMS,
  type TeamDeleted,
  type UpdateTeamInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { recordAudit } from '../../access/audit/audit.ts';
import { findLostRight } from '../../access/lost-right.ts';
import { firmIdOf, IS_ADMIN } from '../../access/policy.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { findTicketsOf, reassignTickets } from '../../tickets/index.ts';
import { beginChange } from '../firm-changes.ts';
import { listTeams, readTeam } from './list-teams.ts';

/** Creates a team. Throws `validation_failed` for a name that another team has. */
export async function createTeam(
  caller: AccountContext,
  { name, members }: z.output<typeof CreateTeamInput>,
): Promise<FirmTeam> {
  const ctx = await beginChange(caller, 'teams');
  const { db, workspace, now } = ctx;
  const others = await listTeams(ctx);
  ensureUnique(others, name);
  if (others.length >= MAX_TEAMS)
    throw invalidField('name', `there are ${MAX_TEAMS} teams already: delete one first`);
  const { rows } = await sql<{ id: number }>`
    insert into teams (workspace_id, name, created_at)
    values (${workspace.id}, ${name}, ${now.toISOString()}) returning id`.execute(db);
  const { id } = rows[0]!;
  await setMembers(ctx, id, members);
  await recordAudit(ctx, workspace.id, {
    action: 'team.created',
    target: { type: 'team', id: String(id) },
    after: { name, members },
  });
  return readTeam(ctx, id);
}

/** Renames a team and replaces its members. Throws `resource_not_found`, and as {@link createTeam}. */
export async function updateTeam(
  caller: AccountContext,
  { id, name, members }: z.output<typeof UpdateTeamInput>,
): Promise<FirmTeam> {
  const ctx = await beginChange(caller, 'teams');
  const { db, workspace } = ctx;
  const before = await readTeam(ctx, id);
  if (name !== undefined && name !== before.name) {
    ensureUnique(
      (await listTeams(ctx)).filter((other) => other.id !== id),
      name,
    );
    await sql`
      update teams set name = ${name} where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  }
  if (members !== undefined) await setMembers(ctx, id, members);
  const after = await readTeam(ctx, id);
  const changed = { before: stateOf(before), after: stateOf(after) };
  if (JSON.stringify(changed.before) !== JSON.stringify(changed.after))
    await recordAudit(ctx, workspace.id, {
      action: 'team.changed',
      target: { type: 'team', id: String(id) },
      ...changed,
    });
  return after;
}

/** Returns the ids of the tickets that the deletion of a team assigns to another; null if it has no other. */
export function findTicketsOfTeam(
  ctx: AccountContext,
  { id, reassign_to }: z.output<typeof DeleteTeamInput>,
): Promise<string[] | null> {
  return reassign_to === null ? Promise.resolve(null) : findTicketsOf(ctx, { team: id });
}

/**
 * Deletes a team with its views. `tickets` and its macros go to `reassign_to`, its other tickets have no team any more. Throws
 * `resource_not_found`.
 */
export async function deleteTeam(
  caller: AccountContext,
  { id, reassign_to }: z.output<typeof DeleteTeamInput>,
  tickets: readonly string[] | null,
): Promise<z.input<typeof TeamDeleted>> {
  const ctx = await beginChange(caller, 'teams');
  const { db, workspace } = ctx;
  // Until the end, no ticket is assigned to it.
  await sql`select from teams where workspace_id = ${workspace.id} and id = ${id} for update`.execute(db);
  const { name } = await readTeam(ctx, id);
  if (reassign_to === id) throw invalidField('reassign_to', 'must be the id of another team of this firm');
  if (reassign_to !== null && (await findLostRight(ctx, ctx.identity.user.id, workspace.id)) !== null)
    throw new ApiError('forbidden', {
      message: 'To assign tickets you need the permissions view_tickets and manage_tickets.',
    });
  const assignment = { set: 'team', team: reassign_to } as const;
  const change = tickets && (await reassignTickets(ctx, assignment, tickets, 'reassign_to'));
  await sql`
    update macros set team_id = ${reassign_to}
    where workspace_id = ${workspace.id} and team_id = ${id}`.execute(db);
  await sql`
    update tickets set team_id = null
    where workspace_id = ${workspace.id} and team_id = ${id}`.execute(db);
  await sql`delete from teams where workspace_id = ${workspace.id} and id = ${id}`.execute(db);
  await recordAudit(ctx, workspace.id, {
    action: 'team.deleted',
    target: { type: 'team', id: String(id) },
    before: { name },
    after: { reassign_to },
  });
  return { object: 'team_deleted', id, bulk_change: change && change.tickets > 0 ? change.id : null };
}

function stateOf({ name, members }: FirmTeam) {
  return { name, members: members.map(({ id }) => id) };
}

function ensureUnique(others: readonly FirmTeam[], name: string): void {
  if (others.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw invalidField('name', 'is the name of another team');
}

/** Replaces the members of a team by administrators of the firm. */
async function setMembers({ db, workspace }: AccountContext, id: number, members: readonly string[]) {
  const { rows } = await sql<{ id: string }>`
    select u.id from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace.id)}
    and u.id = any(${members}::text[]) and ${sql.raw(IS_ADMIN)}`.execute(db);
  const known = new Set(rows.map((row) => row.id));
  // Who left the firm may stay in a team that somebody else changes.
  const { rows: present } = await sql<{ user_id: string }>`
    select user_id from team_members where workspace_id = ${workspace.id} and team_id = ${id}`.execute(db);
  for (const { user_id } of present) known.add(user_id);
  const unknown = members.findIndex((member) => !known.has(member));
  if (unknown >= 0) throw invalidField(`members[${unknown}]`, 'must be the id of a member of this firm');
  await sql`
    delete from team_members where workspace_id = ${workspace.id}
    and team_id = ${id} and user_id <> all(${members}::text[])`.execute(db);
  for (const member of new Set(members))
    await sql`
      insert into team_members (workspace_id, team_id, user_id) values (${workspace.id}, ${id}, ${member})
      on conflict do nothing`.execute(db);
}
