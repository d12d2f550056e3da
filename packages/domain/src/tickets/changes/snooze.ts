import { MAX_SNOOZE_DAYS, type SnoozeInput, type Ticket } from '@firmdesk/contract';
import { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { toTicket } from '../ticket-row.ts';
import { lockTicket, NOT_SNOOZED, type TicketChange, type TicketState } from '../ticket-state.ts';
import { changeTicket } from './changes.ts';
import { isEnded, statusAfter } from './status.ts';

/*
 * A snoozed ticket is left out of the lists of the console until a time, or until the trader writes (`afterChange`). Then it is woken:
 * it awaits the team, and shows since when.
 */

/** Wakes a ticket at the end of its snooze. */
export const wakeTicketJob = defineJob(
  'tickets.wake',
  z.object({ workspace: z.int(), ticket: z.string(), until: z.string() }),
);

/**
 * Snoozes a ticket until a time, or without one until the trader writes. Replaces an earlier snooze. Throws `resource_not_found`,
 * `ticket_ended`, and `validation_failed` for a time that is past or more than {@link MAX_SNOOZE_DAYS} ahead.
 */
export async function snoozeTicket(ctx: AccountContext, input: z.infer<typeof SnoozeInput>): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await snoozeLocked(ctx, ticket, input.until));
}

/** {@link snoozeTicket} for a locked ticket. */
export async function snoozeLocked(
  ctx: AccountContext,
  ticket: TicketState,
  time: string | null,
): Promise<TicketState> {
  const { workspace, now } = ctx;
  if (isEnded(ticket.status)) throw new ApiError('ticket_ended');
  const until = time === null ? null : new Date(time).toISOString();
  if (until !== null) {
    const afterMs = Date.parse(until) - now.getTime();
    if (afterMs <= 0) throw invalidField('until', 'must be in the future');
    if (afterMs > MAX_SNOOZE_DAYS * DAY_MS)
      throw invalidField('until', `must be at most ${MAX_SNOOZE_DAYS} days ahead`);
    await requestWake(ctx, workspace.id, ticket.id, until);
  }
  const change = { snoozed_at: now.toISOString(), snoozed_until: until, woken_at: null };
  return changeTicket(ctx, ticket, change, ctx.identity.user.id);
}

/** Wakes a ticket of the firm when its snooze ends, at once if it has. */
export async function requestWake(
  ctx: OperationContext,
  workspace: number,
  ticket: string,
  until: string,
): Promise<void> {
  const afterMs = Date.parse(until) - ctx.now.getTime();
  const key = `tickets.wake:${workspace}:${ticket}`;
  await enqueue(ctx, wakeTicketJob, { workspace, ticket, until }, { key, afterMs });
}

/** Ends the snooze of a ticket, without a mark. A ticket that is not snoozed stays as it is. Throws `resource_not_found`. */
export async function endSnooze(ctx: AccountContext, input: { ticket: string }): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  return toTicket(ctx, await changeTicket(ctx, ticket, NOT_SNOOZED, ctx.identity.user.id));
}

/** Handles {@link wakeTicketJob}. Does nothing if the snooze was ended; if it was replaced, requests the job for its present end. */
export async function wakeTicket(
  services: Services,
  { workspace, ticket: id, until }: z.infer<(typeof wakeTicketJob)['payload']>,
): Promise<void> {
  await withTransaction(services, async (ctx) => {
    const ticket = await lockTicket(ctx, workspace, id);
    const end = ticket.snoozed_until;
    if (end === null) return;
    // Jobs can enter the queue in another order than they were requested, so this one may have replaced that of the present snooze.
    if (Date.parse(end) !== Date.parse(until) && Date.parse(end) > ctx.now.getTime())
      return await requestWake(ctx, workspace, id, end);
    const change: TicketChange = {
      // A question that the assistant answers stays with it.
      status: ticket.status === 'open' ? 'open' : statusAfter('set_awaiting_admin', ticket.status),
      ...NOT_SNOOZED,
      woken_at: ctx.now.toISOString(),
    };
    const woken = await changeTicket(ctx, ticket, change);
    // A change of the status notifies the team itself.
    if (woken.status === ticket.status) await notifyTeam(ctx, woken);
  }).catch((error: unknown) => {
    // The ticket was deleted.
    if (!(error instanceof ApiError) || error.apiCode !== 'resource_not_found') throw error;
  });
}
