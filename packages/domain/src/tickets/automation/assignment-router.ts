import {
  AgentAvailability,
  AssignmentSettings,
  SetAgentAvailabilityInput,
  SetAvailabilityInput,
  SetTeamAssignmentInput,
} from '@firmdesk/contract';
import { adminProcedure, NoInput, router } from '../../procedures/trpc.ts';
import {
  getAssignment,
  getOwnAvailability,
  setAgentAvailability,
  setTeamAssignment,
} from './edit-assignment.ts';

const tag = 'Tickets';
const settings = { tag, scope: 'admin:write', permissions: ['view_tickets', 'manage_settings'] } as const;

export const assignmentRouter = router({
  get: adminProcedure({
    tag,
    scope: 'admin:read',
    permissions: ['view_tickets'],
    summary: 'Get how teams assign their tickets, and which agents are available',
    input: NoInput,
    output: AssignmentSettings,
  }).query(({ ctx }) => getAssignment(ctx)),

  mine: adminProcedure({
    tag,
    scope: 'admin:read',
    permissions: ['view_tickets', 'manage_tickets'],
    summary: 'Get whether the caller is available for tickets',
    errors: ['resource_not_found'],
    input: NoInput,
    output: AgentAvailability,
  }).query(({ ctx }) => getOwnAvailability(ctx)),

  setMine: adminProcedure({
    tag,
    scope: 'admin:write',
    permissions: ['view_tickets', 'manage_tickets'],
    summary: 'Set whether the caller is available for tickets',
    errors: ['resource_not_found'],
    input: SetAvailabilityInput,
    output: AgentAvailability,
  }).mutation(({ ctx, input }) => setAgentAvailability(ctx, { ...input, agent: ctx.identity.user.id })),

  setAgent: adminProcedure({
    ...settings,
    summary: 'Set whether an agent is available for tickets, and for how many',
    errors: ['resource_not_found'],
    input: SetAgentAvailabilityInput,
    output: AgentAvailability,
  }).mutation(({ ctx, input }) => setAgentAvailability(ctx, input)),

  setTeam: adminProcedure({
    ...settings,
    summary: 'Set how a team assigns its tickets',
    errors: ['resource_not_found'],
    input: SetTeamAssignmentInput,
    output: AssignmentSettings,
  }).mutation(({ ctx, input }) => setTeamAssignment(ctx, input)),
});
