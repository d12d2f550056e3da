import type { NoteInput, ReplyInput, TicketMessage } from '@firmdesk/contract';
import type { z } from 'zod';
import { claimAttachments } from '../../attachments/index.ts';
import { countMacroUse } from '../../macros/index.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { addInternalMessage } from '../changes/changes.ts';
import { deleteSentDraft } from '../drafts/reply-drafts.ts';
import { lockConversationAsSeen, lockTicketAsSeen, lockTicketWithDelayed } from '../ticket-state.ts';
import { addReply } from './add-reply.ts';
import { sendDelayed } from './delayed-sends.ts';
import { bodyOf } from './formatted-body.ts';
import { checkMentions, notifyMentioned } from './mentions.ts';
import { applyEnd, applyReplyActions, checkReplyActions, endsTicket } from './reply-actions.ts';

/**
 * Replies to the trader, and switches the assistant off for good. Stops the replies that the assistant is writing, and marks
 * earlier messages as read. Throws `resource_not_found`, `ticket_ended`, `newer_messages`, `validation_failed`.
 */
export async function replyToTrader(
  ctx: AccountContext,
  input: z.infer<typeof ReplyInput>,
): Promise<TicketMessage> {
  const { actions } = input;
  const { workspace, identity } = ctx;
  const ticket = await lockTicketAsSeen(ctx, input.ticket, input.seen_message_id);
  await checkReplyActions(ctx, ticket, actions);
  const { message, ticket: replied } = await addReply(ctx, ticket, {
    ...authorOf(ctx),
    ...(await contentOf(ctx, input)),
    imageUrl: input.image_url,
    imageName: input.image_name,
    macroIds: input.macros ?? [],
  });
  await deleteSentDraft(ctx, ticket, 'reply', input.body);
  await applyReplyActions(ctx, replied, actions, identity.user.id);
  await countMacroUse(ctx, workspace.id, input.macros ?? []);
  if (endsTicket(actions)) {
    const { ticket: changed, delayed } = await lockTicketWithDelayed(ctx, workspace.id, ticket.id);
    await applyEnd(ctx, await sendDelayed(ctx, changed, delayed), actions, identity.user.id);
  }
  return message;
}

/**
 * Adds a note that only the team sees, also to an ended ticket, and notifies the colleagues whom it mentions. Throws
 * `resource_not_found`, `newer_messages`, `validation_failed`, and `ticket_ended` if the ticket was merged into another.
 */
export async function addNote(ctx: AccountContext, input: z.infer<typeof NoteInput>): Promise<TicketMessage> {
  const conversation = await lockConversationAsSeen(ctx, input.ticket, input.seen_message_id);
  if (conversation.merged_into !== null) throw new ApiError('ticket_ended');
  const mentions = await checkMentions(ctx, ctx.workspace.id, input.mentions);
  const note = { ...authorOf(ctx), ...(await contentOf(ctx, input)), mentions };
  const message = await addInternalMessage(ctx, conversation, note);
  await notifyMentioned(ctx, conversation, note);
  await deleteSentDraft(ctx, conversation, 'note', input.body);
  return message;
}

/** Returns the text and the files of a message, which from now on contains the files. */
async function contentOf(
  ctx: AccountContext,
  input: Pick<z.infer<typeof NoteInput>, 'ticket' | 'body' | 'body_html' | 'attachments'>,
) {
  const { ticket, attachments: ids } = input;
  const body = await bodyOf(ctx.workspace.id, input);
  if (ids.length === 0) return body;
  const id = newId('ticketMessage', ctx.now);
  return { id, ...body, attachments: await claimAttachments(ctx, { ticket, message: id, ids }) };
}

/** Returns the caller as the author of a message. */
export function authorOf({ identity }: AccountContext) {
  return { from: 'admin', authorId: identity.user.id, author: identity.user.name } as const;
}
