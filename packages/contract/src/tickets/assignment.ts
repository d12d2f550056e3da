import * as z from 'zod';
import { assignmentModes } from '../values/enumerations.ts';
import { IntegerId, idOf } from '../values/ids.ts';
import { MAX_TICKET_LIMIT } from '../values/limits.ts';

/** Who gets the tickets of a team that wait for an answer and have no agent. */
export const AssignmentMode = z.enum(assignmentModes);
export type AssignmentMode = z.infer<typeof AssignmentMode>;

const TicketLimit = z.int().min(1).max(MAX_TICKET_LIMIT).nullable();

/** Whether an agent gets tickets automatically. */
export const AgentAvailability = z.object({
  object: z.literal('agent_availability'),
  id: idOf('user'),
  name: z.string(),
  avatar_url: z.string().nullable(),
  available: z.boolean(),
  /** With this many tickets, the agent gets no more automatically; null without a limit. */
  ticket_limit: z.int().nullable(),
  /** The tickets that are assigned to the agent and not ended. */
  tickets: z.int(),
});
export type AgentAvailability = z.infer<typeof AgentAvailability>;

/** A team, and how many of its tickets wait because no agent is available. */
export const TeamAssignment = z.object({
  object: z.literal('team_assignment'),
  id: z.int(),
  name: z.string(),
  mode: AssignmentMode,
  members: z.array(idOf('user')),
  waiting: z.int(),
});
export type TeamAssignment = z.infer<typeof TeamAssignment>;

/** The firm's teams, and its agents who may answer tickets, each sorted by name. */
export const AssignmentSettings = z.object({
  object: z.literal('assignment_settings'),
  teams: z.array(TeamAssignment),
  agents: z.array(AgentAvailability),
});
export type AssignmentSettings = z.infer<typeof AssignmentSettings>;

export const SetTeamAssignmentInput = z.object({ team: IntegerId, mode: AssignmentMode });
export const SetAvailabilityInput = z.object({ available: z.boolean() });
/** What is omitted stays as it is. */
export const SetAgentAvailabilityInput = z.object({
  agent: idOf('user'),
  available: z.boolean().optional(),
  ticket_limit: TicketLimit.optional(),
});
