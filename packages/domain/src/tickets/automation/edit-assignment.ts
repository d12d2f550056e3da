import type {
  AgentAvailability as AgentAvailabilityOfContract,
  AssignmentSettings,
  SetAgentAvailabilityInput,
  SetTeamAssignmentInput,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { avatarUrl, selectAvatar } from '../../access/accounts/avatar.ts';
import { recordAudit } from '../../access/audit/audit.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import { publishChange } from '../../access/workspaces/publish-change.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { Team } from '../ticket.entity.ts';
import { AgentAvailability } from './assignment.entity.ts';
import { assignWaitingWrite } from './assignment-writes.ts';
import { deriveAutomation, lockAutomation } from './derive-automation.ts';

/** Returns how each team assigns its tickets, and which agents get them. */
export async function getAssignment(ctx: AccountContext): Promise<AssignmentSettings> {
  const { db, workspace } = ctx;
  const teams = await sql<AssignmentSettings['teams'][number]>`
    select 'team_assignment' as object, t.id, t.name, t.assignment as mode,
      array(select user_id from team_members where workspace_id = ${workspace.id} and team_id = t.id order by user_id) as members,
      (select count(*)::integer from waiting_assignments where workspace_id = ${workspace.id} and team_id = t.id) as waiting
    from teams t where t.workspace_id = ${workspace.id} order by lower(t.name), t.id`.execute(db);
  return { object: 'assignment_settings', teams: teams.rows, agents: await readAgents(ctx) };
}

/** Returns whether the caller gets tickets automatically. Throws `resource_not_found` for a member of the staff, who is in no team. */
export async function getOwnAvailability(ctx: AccountContext): Promise<AgentAvailabilityOfContract> {
  return readAgent(ctx, ctx.identity.user.id);
}

async function readAgents(
  { db, workspace, services }: AccountContext,
  only: string | null = null,
): Promise<AgentAvailabilityOfContract[]> {
  const { rows } = await sql<AgentAvailabilityOfContract>`
    select 'agent_availability' as object, u.id, u.name, ${sql.raw(selectAvatar('u'))} as avatar_url,
      coalesce(v.available, true) as available, v.ticket_limit, (
        select count(*)::integer from tickets t
        where t.workspace_id = ${workspace.id} and t.assignee_id = u.id and t.closed_at is null) as tickets
    from memberships m join users u on u.id = m.user_id
    left join agent_availability v on v.workspace_id = ${workspace.id} and v.user_id = u.id
    where m.workspace_id = ${firmIdOf(workspace.id)} and ${sql.raw(MAY_ANSWER)} and (${only}::text is null or u.id = ${only})
    order by lower(u.name), u.id`.execute(db);
  return rows.map((agent) => ({ ...agent, avatar_url: avatarUrl(services, agent.avatar_url) }));
}

async function readAgent(ctx: AccountContext, id: string): Promise<AgentAvailabilityOfContract> {
  const [agent] = await readAgents(ctx, id);
  if (!agent) throw new ApiError('resource_not_found');
  return agent;
}

/** Sets who gets the tickets of a team, from the next one that arrives. Throws `resource_not_found`. */
export async function setTeamAssignment(
  ctx: AccountContext,
  { team: id, mode }: z.output<typeof SetTeamAssignmentInput>,
): Promise<AssignmentSettings> {
  const { workspace, em } = ctx;
  await publishChange(ctx, workspace.id, ['assignment']);
  await lockAutomation(ctx, workspace.id);
  const team = await em.findOneOrFail(Team, { workspaceId: workspace.id, id });
  if (team.assignment !== mode) {
    await recordAudit({ ...ctx, actor: { kind: 'account', id: ctx.identity.user.id } }, workspace.id, {
      action: 'firm.assignment_changed',
      target: { type: 'firm', id: workspace.slug },
      before: { team: id, assignment: team.assignment },
      after: { team: id, assignment: mode },
    });
    team.assignment = mode;
    await deriveAutomation(ctx, workspace.id);
    await assignWaitingWrite(ctx, workspace.id).execute(ctx.db);
  }
  return getAssignment(ctx);
}

/**
 * Sets whether an agent gets tickets automatically, and how many. Tickets that wait are then assigned. Throws `resource_not_found` for an
 * account that is no agent of the firm who may answer.
 */
export async function setAgentAvailability(
  ctx: AccountContext,
  { agent: id, available, ticket_limit }: z.output<typeof SetAgentAvailabilityInput>,
): Promise<AgentAvailabilityOfContract> {
  await publishChange(ctx, ctx.workspace.id, ['assignment']);
  const before = await readAgent(ctx, id);
  await ctx.em.upsert(AgentAvailability, {
    workspaceId: ctx.workspace.id,
    userId: id,
    available: available ?? before.available,
    ticketLimit: ticket_limit === undefined ? before.ticket_limit : ticket_limit,
  });
  await assignWaitingWrite(ctx, ctx.workspace.id).execute(ctx.db);
  return readAgent(ctx, id);
}
