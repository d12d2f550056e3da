import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { defineJob, jobWrite } from '../../platform/jobs/jobs.ts';
import { isEnded } from '../changes/status.ts';
import type { TicketState } from '../ticket-state.ts';
import type { TicketAutomation } from './ticket-automation.ts';

/** Assigns the tickets of a firm that wait for an agent of their team. */
export const assignWaitingJob = defineJob('tickets.assign_waiting', z.object({ workspace: z.int() }));

/** Returns the write that requests {@link assignWaitingJob}. */
export function assignWaitingWrite(ctx: OperationContext, workspace: number): RawBuilder<unknown> {
  return jobWrite(ctx, assignWaitingJob, { workspace }, { key: `tickets.assign_waiting:${workspace}` });
}

/**
 * Returns the writes of an automatic assignment. A ticket waits for an agent from when it awaits an answer in a team that assigns, without
 * an agent, until any of this ends. So one from which a person has removed the agent waits for a person, until it comes to a team or
 * begins to await an answer again.
 */
export function assignmentWrites(
  ctx: OperationContext,
  { assigns }: TicketAutomation,
  before: TicketState,
  after: TicketState,
): RawBuilder<unknown>[] {
  const writes: RawBuilder<unknown>[] = [];
  const { workspace_id, id } = after;
  const couldWait = before.assignee_id === null && before.team_id !== null;
  const canWait = after.assignee_id === null && after.team_id !== null && assigns.includes(after.team_id);
  const awaits = after.status === 'awaiting_admin';
  const begins = before.team_id !== after.team_id || before.status !== 'awaiting_admin';
  if (canWait && awaits && begins)
    writes.push(sql`
      insert into waiting_assignments (workspace_id, ticket_id, team_id)
      values (${workspace_id}, ${id}, ${after.team_id})
      on conflict (workspace_id, ticket_id) do update set team_id = excluded.team_id`);
  else if (couldWait && !(canWait && awaits))
    writes.push(
      sql`delete from waiting_assignments where workspace_id = ${workspace_id} and ticket_id = ${id}`,
    );
  const isReleased =
    before.assignee_id !== null &&
    (after.assignee_id !== before.assignee_id || (isEnded(after.status) && !isEnded(before.status)));
  if ((canWait && awaits && begins) || (assigns.length > 0 && isReleased))
    writes.push(assignWaitingWrite(ctx, workspace_id));
  return writes;
}
