import { MAX_TICKET_TAGS, type Ticket, type UndoChangesInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError, invalidField } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { changeTicket, replaceTags } from './changes.ts';
import { findAssignment, findTags } from './edit-ticket.ts';
import { withTags } from './reply-actions.ts';
import { toTicket } from './ticket-row.ts';
import { lockTicket } from './ticket-state.ts';

/**
 * Sets properties of a ticket back, all or none. Throws `resource_not_found`; `undo_expired` if the ticket no longer has what is
 * expected; `validation_failed` for an agent, a team or a tag that is not of the firm.
 */
export async function undoChanges(
  ctx: AccountContext,
  input: z.output<typeof UndoChangesInput>,
): Promise<Ticket> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  const { assignee, team, priority, add_tags, remove_tags, expected } = input;
  const current = { assignee: ticket.assignee_id, team: ticket.team_id, priority: ticket.priority };
  for (const property of ['assignee', 'team', 'priority'] as const) {
    const value = expected[property];
    if (value !== undefined && value !== current[property])
      throw new ApiError('undo_expired', { message: `The ${property} has been changed since, and stays.` });
  }
  const by = ctx.identity.user.id;
  const assignment =
    assignee === undefined && team === undefined ? {} : await findAssignment(ctx, { assignee, team });
  const changed = await changeTicket(ctx, ticket, { ...assignment, ...(priority && { priority }) }, by);
  if (add_tags.length + remove_tags.length === 0) return toTicket(ctx, changed);
  const kept = (changed.tags ?? []).filter(({ id }) => !remove_tags.includes(id));
  const tags = withTags(kept, await findTags(ctx, add_tags, 'add_tags'));
  if (tags.length > MAX_TICKET_TAGS)
    throw invalidField('add_tags', `must leave the ticket with at most ${MAX_TICKET_TAGS} tags`);
  return toTicket(ctx, await replaceTags(ctx, changed, tags, by));
}
