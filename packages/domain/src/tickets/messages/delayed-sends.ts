import {
  type DelayedSend,
  type DelayedSendRef,
  type DelayedSendState,
  type ReplyInput,
  SEND_DELAY_SECONDS,
  type UnsentReason,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import { claimAttachments, releaseAttachments } from '../../attachments/index.ts';
import { countMacroUse } from '../../macros/index.ts';
import { storeNotifications } from '../../notifications/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { defineJob, enqueue } from '../../platform/jobs/jobs.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { isEnded, statusAfter } from '../changes/status.ts';
import { addToReplyDraft, deleteSentDraft } from '../drafts/reply-drafts.ts';
import { draftContentOf, keepForTeam } from '../drafts/unsent-replies.ts';
import { ticketPath } from '../ticket-row.ts';
import {
  type DelayedSendRow,
  lockTicket,
  lockTicketAsSeen,
  lockTicketWithDelayed,
  type TicketState,
} from '../ticket-state.ts';
import { addReply } from './add-reply.ts';
import { bodyOf } from './formatted-body.ts';
import { applyEnd, applyReplyActions, checkReplyActions, endsTicket } from './reply-actions.ts';

/*
 * A reply that its author can take back for some seconds. Neither the trader nor the team sees it until a job sends it. The row
 * decides: it is deleted under the ticket's lock, by the job that sends it, by its author, or by the end of the ticket, which sends
 * it first. A reply whose author may no longer answer is not sent: it becomes a draft of the ticket for the team (`unsent-replies.ts`).
 */

/** Runs a delayed send. */
export const delayedSendJob = defineJob(
  'tickets.send_delayed',
  z.object({ workspace: z.int(), ticket: z.string(), id: z.string() }),
);

/** What an author has seen of a ticket without messages. */
const NOTHING = new Date(0).toISOString();

/** Delays the send of a reply by {@link SEND_DELAY_SECONDS}, after the checks of a reply. Throws `resource_not_found`, `ticket_ended`, `newer_messages`. */
export async function delaySend(
  ctx: AccountContext,
  input: z.infer<typeof ReplyInput>,
): Promise<DelayedSend> {
  const ticket = await lockTicketAsSeen(ctx, input.ticket, input.seen_message_id);
  statusAfter('answered', ticket.status);
  await checkReplyActions(ctx, ticket, input.actions);
  const { workspace, identity, now } = ctx;
  const id = newId('ticketMessage', now);
  const { body, bodyHtml } = await bodyOf(workspace.id, input);
  const seenThrough = input.seen_message_id === undefined ? null : (ticket.last_written_at ?? NOTHING);
  const attachments = await claimAttachments(ctx, { ticket: ticket.id, message: id, ids: input.attachments });
  await sql`
    insert into delayed_sends (workspace_id, id, ticket_id, author_id, author, body, body_html, image_url, image_name, attachments, actions,
      macro_ids, created_at, seen_through)
    values (${workspace.id}, ${id}, ${ticket.id}, ${identity.user.id}, ${identity.user.name}, ${body}, ${bodyHtml}, ${input.image_url},
      ${input.image_name}, ${JSON.stringify(attachments)}::jsonb, ${input.actions ? JSON.stringify(input.actions) : null}::jsonb,
      ${input.macros ?? []}::text[], ${now.toISOString()}, ${seenThrough})`.execute(ctx.db);
  await deleteSentDraft(ctx, ticket, 'reply', input.body);
  const afterMs = SEND_DELAY_SECONDS * 1_000;
  const payload = { workspace: workspace.id, ticket: ticket.id, id };
  await enqueue(ctx, delayedSendJob, payload, { afterMs });
  const send_at = new Date(now.getTime() + afterMs).toISOString();
  return { object: 'held_reply', id, ticket_id: ticket.id, send_at };
}

/** Deletes the caller's delayed send, so that it never happens. Throws `resource_not_found` (ticket), `reply_sent`. */
export async function undoSend(
  ctx: AccountContext,
  { ticket: ticketId, id }: z.infer<typeof DelayedSendRef>,
): Promise<void> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, ticketId);
  const { rows } = await sql`
    delete from delayed_sends
    where workspace_id = ${ctx.workspace.id} and ticket_id = ${ticket.id} and id = ${id}
      and author_id = ${ctx.identity.user.id}
    returning id`.execute(ctx.db);
  if (rows.length === 0) throw new ApiError('reply_sent');
  await releaseAttachments(ctx, ctx.workspace.id, id);
}

/** Returns whether a reply of the caller is still delayed, was sent, is kept for the team, or is none of these. Throws `resource_not_found` (ticket). */
export async function getDelayedSend(
  { db, workspace, identity }: AccountContext,
  { ticket, id }: z.infer<typeof DelayedSendRef>,
): Promise<DelayedSendState> {
  const { rows } = await sql<Pick<DelayedSendState, 'state'>>`
    select case
      when exists (select from delayed_sends where workspace_id = ${workspace.id} and id = ${id} and ticket_id = ${ticket}
        and author_id = ${identity.user.id}) then 'held'
      when exists (select from unsent_replies where workspace_id = ${workspace.id} and id = ${id}) then 'kept_for_team'
      when exists (select from ticket_messages where workspace_id = ${workspace.id} and id = ${id} and not internal) then 'sent'
      else 'not_sent' end as state
    from tickets where workspace_id = ${workspace.id} and id = ${ticket}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return { object: 'held_reply_state', id, state: rows[0].state };
}

/** Handles {@link delayedSendJob}. Does nothing if the reply was taken back or is sent already. */
export async function runDelayedSend(
  services: Services,
  { workspace, ticket: ticketId, id }: z.infer<(typeof delayedSendJob)['payload']>,
): Promise<void> {
  await withTransaction(services, async (ctx) => {
    const { ticket, delayed } = await lockTicketWithDelayed(ctx, workspace, ticketId);
    const due = delayed.filter((reply) => reply.id === id);
    if (isEnded(ticket.status)) {
      await refuse(
        ctx,
        ticket,
        due.map((reply) => ({ reply, reason: 'ticket_ended' })),
      );
      return;
    }
    const ending = due.find((reply) => endsTicket(reply.actions) && isSendable(reply));
    // Overtaken replies become drafts together, in the order in which they were written.
    const ready = ending ? delayed : delayed.filter((reply) => reply.id === id || reply.is_overtaken);
    const after = await sendDelayed(ctx, ticket, ready);
    if (ending) await applyEnd(ctx, after, ending.actions, ending.author_id);
  }).catch((error: unknown) => {
    // The ticket was deleted, with its delayed sends.
    if (!(error instanceof ApiError) || error.apiCode !== 'resource_not_found') throw error;
  });
}

function isSendable({ is_overtaken, lost_right }: DelayedSendRow): boolean {
  return !is_overtaken && lost_right === null;
}

/**
 * Runs delayed sends of a locked ticket now, with their changes except an end of the ticket. A reply that others have overtaken
 * is not sent: it is a draft of its author again. Neither is one whose author may no longer answer: it is kept for the team. Returns the
 * ticket.
 */
export async function sendDelayed(
  ctx: OperationContext,
  ticket: TicketState,
  delayed: readonly DelayedSendRow[],
): Promise<TicketState> {
  let after = ticket;
  await refuse(
    ctx,
    ticket,
    delayed.flatMap((reply) => (reply.lost_right === null ? [] : { reply, reason: reply.lost_right })),
  );
  // Each is put before what the draft has by then.
  for (const each of delayed.toReversed())
    if (each.is_overtaken && each.lost_right === null) await returnToAuthor(ctx, ticket, each);
  for (const each of delayed) {
    if (!isSendable(each)) continue;
    const { id, author_id, author, body, body_html, image_url, image_name, attachments, actions, macro_ids } =
      each;
    await deleteDelayed(ctx, ticket, id);
    const reply = {
      id,
      from: 'admin',
      authorId: author_id,
      author,
      body,
      bodyHtml: body_html,
      imageUrl: image_url,
      imageName: image_name,
      attachments,
      macroIds: macro_ids ?? [],
    } as const;
    ({ ticket: after } = await addReply(ctx, after, reply));
    after = await applyReplyActions(ctx, after, actions, author_id);
    await countMacroUse(ctx, ticket.workspace_id, macro_ids ?? []);
  }
  return after;
}

/** Makes a delayed send a draft of its author again, before what they have written since, and notifies them. */
async function returnToAuthor(
  ctx: OperationContext,
  ticket: TicketState,
  reply: DelayedSendRow,
): Promise<void> {
  const { id, author_id } = reply;
  await deleteDelayed(ctx, ticket, id);
  await releaseAttachments(ctx, ticket.workspace_id, id);
  await addToReplyDraft(ctx, ticket, author_id, draftContentOf(reply), 'before');
  await storeNotifications(
    ctx,
    {
      workspaceId: ticket.workspace_id,
      kind: 'ticket_awaiting_admin',
      title: `Your reply on ticket #${ticket.number} was not sent`,
      body: 'Others have written since. It is kept as a draft: read what they wrote, then send it again.',
      actionUrl: ticketPath(ticket.id),
    },
    [author_id],
  );
}

/** Keeps replies that may no longer be sent for the team. */
async function refuse(
  ctx: OperationContext,
  ticket: TicketState,
  refused: readonly { reply: DelayedSendRow; reason: UnsentReason }[],
): Promise<void> {
  for (const { reply } of refused) await deleteDelayed(ctx, ticket, reply.id);
  await keepForTeam(ctx, ticket, refused);
}

/**
 * Keeps all delayed sends of some firms for the team, which were suspended meanwhile: when a firm is resumed they can
 * be days old.
 */
export async function keepDelayedOfResumed(
  ctx: OperationContext,
  workspaceIds: readonly number[],
): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const { rows } = await sql<{ ticket_id: string }>`
      select distinct ticket_id from delayed_sends
      where workspace_id = ${workspaceId} order by ticket_id`.execute(ctx.db);
    for (const { ticket_id } of rows) {
      const { ticket, delayed } = await lockTicketWithDelayed(ctx, workspaceId, ticket_id);
      await sendDelayed(
        ctx,
        ticket,
        delayed.map((reply) => ({ ...reply, lost_right: 'firm_suspended' })),
      );
    }
  }
}

async function deleteDelayed(
  { db }: OperationContext,
  { workspace_id }: TicketState,
  id: string,
): Promise<void> {
  await sql`
    delete from delayed_sends where workspace_id = ${workspace_id} and id = ${id}`.execute(db);
}
