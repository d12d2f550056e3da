import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { defineJob } from '../../platform/jobs/jobs.ts';
import { isServed } from '../../platform/jobs/suspended-firms.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import type { Services } from '../../platform/services.ts';
import { type TargetName, targetsToWarnOf } from '../../sla/index.ts';
import { changeTicket, refreshDueTimes } from '../changes/changes.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { lockTickets, type TicketState } from '../ticket-state.ts';

/** Warns the teams of all firms of tickets that are soon due. */
export const warnOfDueTicketsJob = defineJob('tickets.warn_due', z.object({}));

/** The tickets that are read at once. */
const BATCH = 100;

interface DueTicket {
  workspace_id: number;
  id: string;
}

/**
 * Handles {@link warnOfDueTicketsJob}. The transaction that raises a notification also marks its target as warned of, under the ticket's
 * lock: so each target of a ticket is warned of once, by one worker, also after a crash. A ticket that fails is left out until the next run,
 * and does not delay the others.
 */
export async function warnOfDueTickets(services: Services): Promise<void> {
  const failures = new Map<string, unknown>();
  for (let hasMore = true; hasMore; ) {
    const due = await findDueTickets(services, [...failures.keys()]);
    for (const { workspace_id: workspaceId, id } of due) {
      try {
        await services.firmServers.run(workspaceId, () =>
          withTransaction(services, (ctx) => warnOf(ctx, workspaceId, id)),
        );
      } catch (error) {
        failures.set(id, error);
        services.log.error(
          { workspace: workspaceId, ticket: id, err: error },
          'the team cannot be warned of a due ticket',
        );
      }
    }
    hasMore = due.length >= BATCH;
  }
  for (const error of failures.values()) throw error;
}

async function findDueTickets(
  { firmServers, clock }: Services,
  failed: readonly string[],
): Promise<DueTicket[]> {
  return firmServers.readAll<DueTicket>({
    text: (isAmong) => `${allFirms('due-warnings')}
      select t.workspace_id, t.id from tickets t
      where t.due_warning_at <= $1 and ${isAmong('t.workspace_id')} and ${isServed('t.workspace_id')}
        and t.id <> all($3::text[])
      order by t.due_warning_at limit $2`,
    values: [clock.now().toISOString(), BATCH, failed],
  });
}

async function warnOf(ctx: OperationContext, workspaceId: number, id: string): Promise<void> {
  for (const { ticket } of await lockTickets(ctx, workspaceId, [id])) {
    // Another worker has warned of the ticket, or its due time has moved.
    if (ticket.due_warning_at === null || Date.parse(ticket.due_warning_at) > ctx.now.getTime()) continue;
    const due = targetsToWarnOf(ctx.now, ticket);
    if (due.length === 0) await refreshDueTimes(ctx, ticket, null);
    else await changeTicket(ctx, ticket, Object.fromEntries(due.map(({ name }) => [`${name}_warned`, true])));
    for (const target of due) await warn(ctx, ticket, target);
  }
}

const names: Record<TargetName, string> = { first_response: 'first response', resolution: 'resolution' };

/** Notifies the assignee, else the members of the team, else all agents. */
async function warn(
  ctx: OperationContext,
  ticket: TicketState,
  { name, due }: { name: TargetName; due: number },
): Promise<void> {
  const minutes = Math.ceil((due - ctx.now.getTime()) / MINUTE_MS);
  const when = minutes <= 0 ? 'is overdue' : `is due in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const notified = ticket.assignee_id === null ? ticket : { ...ticket, team_id: null };
  await notifyTeam(ctx, notified, [], `Ticket #${ticket.number}: ${names[name]} ${when}`);
}
