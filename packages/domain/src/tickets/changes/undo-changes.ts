import { MAX_TICKET_TAGS, type Ticket, type UndoChangesInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { findTags } from '../../access/workspaces/find-tags.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { handToAssistant } from '../messages/hand-to-assistant.ts';
import { withTags } from '../messages/reply-actions.ts';
import { toTicket } from '../ticket-row.ts';
import { lockTicket, NOT_SNOOZED, type TicketState } from '../ticket-state.ts';
import { changeTicket, replaceTags } from './changes.ts';
import { findAssignment, setLockedStatus } from './edit-ticket.ts';
import { snoozeLocked } from './snooze.ts';
import { isEnded } from './status.ts';
import { reopenTicket } from './undo-end.ts';

type Input = z.output<typeof UndoChangesInput>;

/**
 * Sets properties of a ticket back, all or none. Throws `resource_not_found`; `undo_expired` if the ticket no longer has what is
 * expected; `ticket_ended` if its end can no longer be undone; `assistant_unavailable`; `validation_failed` for an agent, a team or a tag
 * that is not of the firm, and for a snooze that is past.
 */
export async function undoChanges(ctx: AccountContext, input: Input): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const { assignee, team, priority, status, snooze, add_tags, remove_tags } = input;
  checkUnchanged(ticket, input.expected);
  const by = ctx.identity.user.id;
  const assignment =
    assignee === undefined && team === undefined ? {} : await findAssignment(ctx, { assignee, team });
  let changed = await changeTicket(ctx, ticket, { ...assignment, ...(priority && { priority }) }, by);
  if (status !== undefined) changed = await setStatusBack(ctx, changed, status);
  if (snooze !== undefined)
    changed =
      snooze === null
        ? await changeTicket(ctx, changed, NOT_SNOOZED, by)
        : await snoozeLocked(ctx, changed, snooze.until);
  if (add_tags.length + remove_tags.length === 0) return toTicket(ctx, changed);
  const kept = (changed.tags ?? []).filter(({ id }) => !remove_tags.includes(id));
  const tags = withTags(kept, await findTags(ctx, add_tags, 'add_tags'));
  if (tags.length > MAX_TICKET_TAGS)
    throw invalidField('add_tags', `must leave the ticket with at most ${MAX_TICKET_TAGS} tags`);
  return toTicket(ctx, await replaceTags(ctx, changed, tags, by));
}

function checkUnchanged(ticket: TicketState, { snooze, ...expected }: Input['expected']): void {
  const current = {
    assignee: ticket.assignee_id,
    team: ticket.team_id,
    priority: ticket.priority,
    status: ticket.status,
    snooze: snoozeKey(ticket.snoozed_at === null ? null : { until: ticket.snoozed_until }),
  };
  const wanted = { ...expected, ...(snooze !== undefined && { snooze: snoozeKey(snooze) }) };
  for (const property of ['assignee', 'team', 'priority', 'status', 'snooze'] as const) {
    const value = wanted[property];
    if (value !== undefined && value !== current[property])
      throw new ApiError('undo_expired', { message: `The ${property} has been changed since, and stays.` });
  }
}

/** Returns equal values for equal snoozes. The same time can be written in several forms. */
function snoozeKey(snooze: Input['snooze']): string {
  if (!snooze) return 'none';
  return snooze.until === null ? 'until the trader writes' : new Date(snooze.until).toISOString();
}

function setStatusBack(
  ctx: AccountContext,
  ticket: TicketState,
  status: NonNullable<Input['status']>,
): Promise<TicketState> {
  const by = ctx.identity.user.id;
  if (isEnded(ticket.status)) return reopenTicket(ctx, ticket, status);
  if (status === 'open') return handToAssistant(ctx, ticket, by);
  // Only the end of a ticket runs its delayed sends.
  return setLockedStatus(ctx, { ticket, delayed: [] }, status, { by });
}
