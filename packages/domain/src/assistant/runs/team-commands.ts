import type {
  AskAssistantInput,
  AssistantStopped,
  CommandUndone,
  StopAssistantInput,
  TicketMessage,
  UndoCommandInput,
} from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { addMessage, deleteSentDraft, isEnded, lockTicket, lockTicketAsSeen } from '../../tickets/index.ts';
import { requestCommand, stopRuns, withdrawCommand } from './run.ts';

/** The limit of waiting commands per ticket, besides the one whose reply is being written. */
const MAX_WAITING = 3;

/**
 * Requests the ticket's next reply, and returns the note with the instruction (contract §4.8). Note, status, allowance and job
 * commit together. An answer to the trader that is being written ends: the reply replaces it, in the same message. Throws
 * `resource_not_found`, `newer_messages`, `ticket_ended`, `assistant_unavailable`, and `rate_limited` beyond {@link MAX_WAITING}.
 */
export async function askAssistant(
  ctx: AccountContext,
  { ticket: id, instruction, seen_message_id }: z.output<typeof AskAssistantInput>,
): Promise<TicketMessage> {
  const ticket = await lockTicketAsSeen(ctx, id, seen_message_id);
  if (isEnded(ticket.status)) throw new ApiError('ticket_ended');
  await ensureEnabled(ctx);
  if (ticket.pending_runs.filter(({ kind }) => kind === 'command').length > MAX_WAITING) {
    throw new ApiError('rate_limited', {
      message: `This ticket already has ${MAX_WAITING} waiting commands to the assistant. Try again when one has ended.`,
      retryAfterSeconds: 5,
      limit: 'replies_per_ticket',
    });
  }
  const { message, ticket: after } = await addMessage(
    ctx,
    ticket,
    {
      from: 'admin',
      authorId: ctx.identity.user.id,
      author: ctx.identity.user.name,
      body: `/ai ${instruction}`,
      internal: true,
      event: 'ai_command',
    },
    { status: 'awaiting_trader' },
  );
  for (const mode of ['reply', 'note'] as const) await deleteSentDraft(ctx, ticket, mode, message.body);
  await requestCommand(ctx, ticket, after, {
    instruction,
    command: message.id,
    askedBy: ctx.identity.user.id,
  });
  return message;
}

/**
 * Undoes a command of the caller whose reply is not written yet: its note and what is written of the reply are deleted. The allowance stays used.
 * Throws `resource_not_found` (ticket) and `reply_sent`.
 */
export async function undoCommand(
  ctx: AccountContext,
  { ticket: id, message }: z.output<typeof UndoCommandInput>,
): Promise<z.output<typeof CommandUndone>> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, id);
  const isUndone = await withdrawCommand(ctx, ticket, { command: message, askedBy: ctx.identity.user.id });
  if (!isUndone) throw new ApiError('reply_sent');
  return { object: 'command_undone', id: message };
}

/**
 * Stops all running and waiting replies of the assistant on a ticket. The trader does not see them; a note names the teammate
 * who stopped them. Throws `resource_not_found`.
 */
export async function stopAssistant(
  ctx: AccountContext,
  { ticket: id }: z.output<typeof StopAssistantInput>,
): Promise<z.output<typeof AssistantStopped>> {
  const ticket = await lockTicket(ctx, ctx.workspace.id, id);
  const stopped = await stopRuns(ctx, ticket, `${ctx.identity.user.name} stopped it`);
  return { object: 'assistant_stopped', stopped };
}

/** Throws `assistant_unavailable` if the firm has switched the assistant off for its team. */
async function ensureEnabled({ db, workspace }: AccountContext): Promise<void> {
  const firm = await db
    .selectFrom('workspaces')
    .select('assistant_enabled_for_team')
    .where('id', '=', workspace.id)
    .executeTakeFirst();
  if (!firm?.assistant_enabled_for_team) throw new ApiError('assistant_unavailable');
}
