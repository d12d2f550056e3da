import {
  ReplyActions,
  type ReplyDiscarded,
  type ReplyTakenOver,
  type StoredReplyDraft,
  type UnsentReason,
  type UnsentReplies,
  type UnsentReply,
  type UnsentReplyRef,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { discardAttachments, handOverAttachments } from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { type Retention, retentionOfFirmTable } from '../../platform/database/retention.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { appendEvents } from '../../platform/events/append-events.ts';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { isEnded } from '../changes/status.ts';
import { notifyTeam } from '../messages/notify-team.ts';
import { refetchEvent } from '../streams/publish.ts';
import { type DelayedSendRow, lockTicket, type TicketState } from '../ticket-state.ts';
import { addToReplyDraft } from './reply-drafts.ts';

/*
 * Delayed sends that may no longer happen. Each is a draft of its ticket that belongs to the team, not to an account: whoever may reply to
 * the ticket sees it, and takes it over into the own draft or discards it.
 */

type UnsentRow = Omit<UnsentReply, 'object'>;

const COLUMNS = sql.raw(
  'id, ticket_id, author, text, html, image_url, image_name, attachments, macros, reason, written_at, unsent_at',
);
/** At most this many of a ticket are shown. When one of them is taken over or discarded, the next one is. */
const SHOWN = 50;

/** Returns the replies of a ticket that were not sent. Throws `resource_not_found`. */
export async function listUnsentReplies(
  { db, workspace }: AccountContext,
  { ticket }: { ticket: string },
): Promise<UnsentReplies> {
  const { rows: found } = await sql`
    select id from tickets where workspace_id = ${workspace.id} and id = ${ticket}`.execute(db);
  if (!found[0]) throw new ApiError('resource_not_found');
  const { rows } = await sql<UnsentRow>`
    select ${COLUMNS} from unsent_replies where workspace_id = ${workspace.id} and ticket_id = ${ticket}
    order by written_at, id limit ${SHOWN}`.execute(db);
  return { data: rows.map((row) => ({ object: 'unsent_reply', ...row })) };
}

/** Returns what a delayed send says, as a draft. */
export function draftContentOf({
  body,
  body_html,
  image_url,
  image_name,
  actions,
  macro_ids,
}: Pick<DelayedSendRow, 'body' | 'body_html' | 'image_url' | 'image_name' | 'actions' | 'macro_ids'>): Pick<
  StoredReplyDraft,
  'text' | 'html' | 'image_url' | 'image_name' | 'macros'
> {
  const hasMacros = actions !== null || (macro_ids ?? []).length > 0;
  return {
    text: body,
    html: body_html,
    image_url: image_url ?? '',
    image_name: image_name ?? '',
    macros: hasMacros ? { ids: macro_ids ?? [], actions: ReplyActions.parse(actions ?? {}) } : null,
  };
}

/** Keeps replies that were held on a locked ticket for the team, which is notified. They keep their files. */
export async function keepForTeam(
  ctx: OperationContext,
  ticket: TicketState,
  refused: readonly { reply: DelayedSendRow; reason: UnsentReason }[],
): Promise<void> {
  if (refused.length === 0) return;
  for (const { reply, reason } of refused) {
    const { text, html, image_url, image_name, macros } = draftContentOf(reply);
    await sql`
      insert into unsent_replies (workspace_id, id, ticket_id, author_id, author, text, html, image_url, image_name, attachments, macros,
        reason, written_at, unsent_at)
      values (${ticket.workspace_id}, ${reply.id}, ${ticket.id}, ${reply.author_id}, ${reply.author}, ${text}, ${html}, ${image_url},
        ${image_name}, ${JSON.stringify(reply.attachments)}::jsonb, ${macros && JSON.stringify(macros)}::jsonb, ${reason},
        ${reply.created_at}, ${ctx.now.toISOString()})`.execute(ctx.db);
  }
  await publish(ctx, ticket);
  await notifyTeam(ctx, ticket, [], `A reply on ticket #${ticket.number} was not sent`);
}

/**
 * Adds an unsent reply to the caller's draft of a reply, after what that has, and makes its files the caller's. Throws `ticket_ended`, and
 * `resource_not_found` also if a colleague was faster.
 */
export async function takeOverReply(
  ctx: AccountContext,
  input: z.infer<typeof UnsentReplyRef>,
): Promise<ReplyTakenOver> {
  const { workspace, identity } = ctx;
  const ticket = await lockTicket(ctx, workspace.id, input.ticket);
  if (isEnded(ticket.status)) throw new ApiError('ticket_ended');
  const reply = await remove(ctx, ticket, input.id);
  await addToReplyDraft(ctx, ticket, identity.user.id, reply, 'after');
  const attachments = await handOverAttachments(ctx, ticket.id, input.id);
  await publish(ctx, ticket);
  return { object: 'reply_taken_over', id: input.id, attachments };
}

/** Deletes an unsent reply with its files, also on an ended ticket. Throws `resource_not_found`. */
export async function discardReply(
  ctx: AccountContext,
  input: z.infer<typeof UnsentReplyRef>,
): Promise<ReplyDiscarded> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, input.ticket);
  await remove(ctx, ticket, input.id);
  await discardAttachments(ctx, ticket.id, input.id);
  await publish(ctx, ticket);
  return { object: 'reply_discarded', id: input.id };
}

/** Moves the unsent replies of a locked ticket to another locked one. Their files move with those of the messages. */
export async function moveUnsentReplies(
  { db }: OperationContext,
  { workspace_id, id: from }: TicketState,
  into: string,
): Promise<void> {
  await sql`
    update unsent_replies set ticket_id = ${into}
    where workspace_id = ${workspace_id} and ticket_id = ${from}`.execute(db);
}

async function remove({ db }: AccountContext, ticket: TicketState, id: string): Promise<UnsentRow> {
  const { rows } = await sql<UnsentRow>`
    delete from unsent_replies where workspace_id = ${ticket.workspace_id} and ticket_id = ${ticket.id} and id = ${id}
    returning ${COLUMNS}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  return rows[0];
}

/** Viewers of the ticket load it again, with its unsent replies. */
function publish(ctx: OperationContext, { workspace_id, id }: TicketState): Promise<void> {
  return appendEvents(ctx, workspace_id, [refetchEvent(id)]);
}

const table = {
  kind: 'unsent_replies',
  keptMs: 30 * DAY_MS,
  since: 'since it was not sent',
  table: 'unsent_replies',
  at: 'unsent_at',
};

/** Deletes unsent replies with their files. */
export const unsentReplyRetention: Retention = {
  ...retentionOfFirmTable(table),
  async prune({ pool, firmServers, clock }, before, limit) {
    const due = await firmServers.readAll<{ workspace_id: number; id: string }>({
      text: (isAmong) => `${allFirms('retention')}
        select workspace_id, id from unsent_replies where unsent_at < $1 and ${isAmong('workspace_id')}
        order by unsent_at limit $2`,
      values: [before.toISOString(), limit],
    });
    let deleted = 0;
    for (const [firm, rows] of Map.groupBy(due, ({ workspace_id }) => workspace_id)) {
      const { rows: counts } = await pool.query<{ count: number }>(
        `with gone as (delete from unsent_replies where workspace_id = $1 and id = any($2) returning ticket_id, id),
           files as (
             update attachments f set deleted_at = $3 from gone g
             where f.workspace_id = $1 and f.ticket_id = g.ticket_id and f.part_of = g.id and f.deleted_at is null)
         select count(*)::integer as count from gone`,
        [firm, rows.map(({ id }) => id), clock.now().toISOString()],
      );
      deleted += counts[0]!.count;
    }
    return deleted;
  },
};
