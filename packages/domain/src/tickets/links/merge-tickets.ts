import { MAX_MERGED_MESSAGES, type MergeTicketsInput, type Ticket } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { mergedClock } from '../../sla/index.ts';
import { changeTicket } from '../changes/changes.ts';
import { moveFollowers } from '../changes/followers.ts';
import { recordTicketChanges } from '../changes/history.ts';
import { isEnded, mergedStatus } from '../changes/status.ts';
import { moveReplyDrafts } from '../drafts/reply-drafts.ts';
import { moveUnsentReplies } from '../drafts/unsent-replies.ts';
import { sendDelayed } from '../messages/delayed-sends.ts';
import { refetchEvent } from '../streams/publish.ts';
import { toTicket } from '../ticket-row.ts';
import { NOT_SNOOZED, type TicketChange, type TicketState } from '../ticket-state.ts';
import { lockBoth } from './lock-both.ts';

/**
 * Merges a ticket into another of the same trader, and returns the other. The messages of the first move to the second, in the order
 * of their times, and so do its drafts, its unsent replies and those who follow it; its delayed sends run before, and replies of the assistant are
 * stopped. It is then closed and points to the second. This cannot be undone. Throws `resource_not_found`, `ticket_ended` if one of them has ended, and `validation_failed`.
 */
export async function mergeTickets(
  ctx: AccountContext,
  input: z.infer<typeof MergeTicketsInput>,
): Promise<Ticket> {
  const { workspace, identity } = ctx;
  if (input.ticket === input.into) throw invalidField('into', 'must be another ticket');
  const [from, into] = await lockBoth(ctx, workspace.id, [input.ticket, input.into]);
  if (from.ticket.trader_id !== into.ticket.trader_id)
    throw invalidField('into', 'must be a ticket of the same trader');
  if (isEnded(from.ticket.status) || isEnded(into.ticket.status)) throw new ApiError('ticket_ended');
  await checkSize(ctx, from.ticket);

  const source = await sendDelayed(ctx, from.ticket, from.delayed);
  const closed = await changeTicket(
    ctx,
    source,
    { status: 'closed', merged_into: into.ticket.id, unread: 0 },
    identity.user.id,
  );
  const stopped = await ctx.services.ticketAssistant.stopObsoleteRuns(ctx, closed);
  await moveMessages(ctx, stopped, into.ticket);
  if (stopped.is_by_mail)
    await ctx.services.ticketMailer.moveMails(ctx, workspace.id, stopped.id, into.ticket.id);
  await moveFollowers(ctx, stopped, into.ticket);
  await moveReplyDrafts(ctx, stopped.id, into.ticket.id);
  await moveUnsentReplies(ctx, stopped, into.ticket.id);

  const merged = await changeTicket(
    ctx,
    into.ticket,
    changeOfTarget(ctx.now, source, into.ticket),
    identity.user.id,
  );
  const history = { ticket: merged.id, before: {}, after: { merged_from: source.id } };
  await recordTicketChanges(ctx, workspace.id, identity.user.id, [history]);
  await appendEvents(ctx, workspace.id, [refetchEvent(source.id), refetchEvent(merged.id)]);
  const { ticketAssistant } = ctx.services;
  const after = await ticketAssistant.stopObsoleteRuns(ctx, merged);
  if (source.status === 'open') await ticketAssistant.answerTrader(ctx, after);
  return toTicket(ctx, after);
}

/** Throws `validation_failed` for a ticket with more than {@link MAX_MERGED_MESSAGES}. */
async function checkSize({ db }: OperationContext, ticket: TicketState): Promise<void> {
  const { rows } = await sql`
    select id from ticket_messages where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id}
    order by created_at offset ${MAX_MERGED_MESSAGES} limit 1`.execute(db);
  if (rows.length > 0)
    throw invalidField('ticket', `must have at most ${MAX_MERGED_MESSAGES.toLocaleString('en')} messages`);
}

/** Moves the messages of a ticket, and their files, to another, which search then finds by them. */
async function moveMessages({ db }: OperationContext, from: TicketState, into: TicketState): Promise<void> {
  await sql`
    update ticket_messages set ticket_id = ${into.id}, search_pending = true
    where workspace_id = ${from.workspace_id} and ticket_id = ${from.id}`.execute(db);
  await sql`
    update attachments set ticket_id = ${into.id}
    where workspace_id = ${from.workspace_id} and ticket_id = ${from.id}`.execute(db);
  const { rows } = await sql<{ at: string }>`
    select trader_wrote_at as at from tickets
    where workspace_id = ${from.workspace_id} and id = ${from.id}`.execute(db);
  await sql`
    update tickets set trader_wrote_at = greatest(trader_wrote_at, ${rows[0]!.at}::timestamptz)
    where workspace_id = ${into.workspace_id} and id = ${into.id}`.execute(db);
}

/** Returns what changes in the ticket that another one is merged into. The assistant answers it only if it answered both. */
function changeOfTarget(now: Date, source: TicketState, target: TicketState): TicketChange {
  const ai_enabled = source.ai_enabled && target.ai_enabled;
  const isSourceLater =
    source.last_from !== null &&
    (target.last_from === null || source.last_message_at > target.last_message_at);
  const { last_from, last_message_at } = isSourceLater ? source : target;
  const status = mergedStatus([source.status, target.status], ai_enabled);
  return {
    status,
    ...mergedClock(now, [source, target], status === 'awaiting_admin'),
    ai_enabled,
    ai_blocked: source.ai_blocked || target.ai_blocked,
    unread: source.unread + target.unread,
    last_from,
    last_message_at,
    // A snoozed ticket wakes if the one that is merged into it was not snoozed, so that the messages of that one stay in the list.
    ...(source.snoozed_at === null &&
      target.snoozed_at !== null && { ...NOT_SNOOZED, woken_at: now.toISOString() }),
  };
}
