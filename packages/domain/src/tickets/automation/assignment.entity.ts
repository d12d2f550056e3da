import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../access/accounts/user.entity.ts';
import { Workspace } from '../../access/workspaces/workspace.entity.ts';

/** Whether an agent gets tickets automatically. Without a row, it does. */
export const AgentAvailabilitySchema = defineEntity({
  name: 'AgentAvailability',
  tableName: 'agent_availability',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    available: p.boolean(),
    ticketLimit: p.integer().nullable(),
  },
});
export class AgentAvailability extends AgentAvailabilitySchema.class {}
AgentAvailabilitySchema.setClass(AgentAvailability);

/** When an agent last got a ticket of a team: the higher, the later. */
export const AssignmentTurnSchema = defineEntity({
  name: 'AssignmentTurn',
  tableName: 'assignment_turns',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    teamId: p.integer().primary(),
    userId: p.manyToOne(User).mapToPk().primary().fieldName('user_id'),
    turn: p.bigint('number'),
  },
});

/** A ticket that waits for an agent of its team. The first one came first. */
export const WaitingAssignmentSchema = defineEntity({
  name: 'WaitingAssignment',
  tableName: 'waiting_assignments',
  properties: {
    workspaceId: p.manyToOne(Workspace).mapToPk().primary().fieldName('workspace_id'),
    ticketId: p.text().primary(),
    teamId: p.integer(),
    position: p.bigint('number').autoincrement(),
  },
});
