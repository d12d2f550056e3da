import { MAX_TICKET_TAGS, type ReplyActions, type Ticket } from '@firmdesk/contract';
import { sql } from 'kysely';
import { selectAvatar } from '../../access/accounts/avatar.ts';
import { firmIdOf, MAY_ANSWER } from '../../access/policy.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { invalidField } from '../../platform/process/errors.ts';
import { changeTicket, replaceTags } from '../changes/changes.ts';
import { isEnded, statusAfter } from '../changes/status.ts';
import type { TicketChange, TicketState } from '../ticket-state.ts';

/*
 * What is changed with a reply, when it is sent. The end of a ticket comes last, by itself: the other delayed sends of the
 * ticket are sent before.
 */

type Actions = ReplyActions | null | undefined;
type Agent = Pick<TicketChange, 'assignee_id' | 'assignee_name' | 'assignee_avatar'>;

/** Returns whether the ticket ends with the reply. */
export function endsTicket(actions: Actions): boolean {
  return actions?.status != null && isEnded(actions.status);
}

/** Throws `validation_failed` for a tag or an agent that is not of the firm, and for more than {@link MAX_TICKET_TAGS} tags. */
export async function checkReplyActions(
  ctx: OperationContext,
  ticket: TicketState,
  actions: Actions,
): Promise<void> {
  if (!actions) return;
  const { tags, agent } = await find(ctx, ticket, actions);
  const unknown = actions.add_tags.findIndex((id) => tags.every((tag) => tag.id !== id));
  if (unknown >= 0)
    throw invalidField(`actions.add_tags[${unknown}]`, 'must be the id of a tag of this firm');
  if (actions.assignee !== null && !agent)
    throw invalidField('actions.assignee', 'must be the id of an agent of this firm who may answer tickets');
  if (withTags(ticket.tags, tags).length > MAX_TICKET_TAGS)
    throw invalidField('actions.add_tags', `must leave the ticket with at most ${MAX_TICKET_TAGS} tags`);
}

/**
 * Applies the changes of a sent reply to its locked ticket, without the end of the ticket. Skips a tag or an agent that the firm no longer
 * has. Returns the ticket.
 */
export async function applyReplyActions(
  ctx: OperationContext,
  ticket: TicketState,
  actions: Actions,
  by: string,
): Promise<TicketState> {
  if (!actions) return ticket;
  const { tags, agent } = await find(ctx, ticket, actions);
  const { status, priority } = actions;
  const all = withTags(ticket.tags, tags).slice(0, MAX_TICKET_TAGS);
  const tagged = all.length > (ticket.tags ?? []).length ? await replaceTags(ctx, ticket, all, by) : ticket;
  const isOpen = status !== null && !isEnded(status);
  return changeTicket(
    ctx,
    tagged,
    {
      ...agent,
      ...(priority !== null && { priority }),
      ...(isOpen && { status: statusAfter(`set_${status}`, ticket.status) }),
    },
    by,
  );
}

/** Ends the ticket of a sent reply. */
export async function applyEnd(
  ctx: OperationContext,
  ticket: TicketState,
  actions: Actions,
  by: string,
): Promise<void> {
  if (!actions?.status || !isEnded(actions.status) || isEnded(ticket.status)) return;
  const ended = await changeTicket(ctx, ticket, { status: actions.status }, by);
  if (ended.pending_runs.length > 0) await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, ended);
}

/** Returns a ticket's tags and some more, each once, in the order of responses. */
export function withTags(tags: TicketState['tags'], more: Ticket['tags']): Ticket['tags'] {
  const byId = new Map([...(tags ?? []), ...more].map((tag) => [tag.id, tag]));
  return [...byId.values()].sort((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase()));
}

/** Reads the tags and the agent that the firm has. */
async function find(
  { db }: OperationContext,
  { workspace_id }: TicketState,
  { add_tags, assignee }: ReplyActions,
): Promise<{ tags: Ticket['tags']; agent: Agent | undefined }> {
  const tags = await sql<Ticket['tags'][number]>`
    select id, name, color from tags
    where workspace_id = ${workspace_id}
    and id = any(${add_tags}::integer[]) and deleted_at is null`.execute(db);
  const agents = await sql<Agent>`
    select u.id as assignee_id, u.name as assignee_name, ${sql.raw(selectAvatar('u'))} as assignee_avatar
    from memberships m join users u on u.id = m.user_id
    where m.workspace_id = ${firmIdOf(workspace_id)}
    and m.user_id = ${assignee} and ${sql.raw(MAY_ANSWER)}`.execute(db);
  return { tags: tags.rows, agent: agents.rows[0] };
}
