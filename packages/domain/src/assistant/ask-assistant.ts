import type { AskAssistantInput, TicketMessage } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { addMessage, isEnded, lockTicket, moveReplyToEnd, publishReset } from '../tickets/index.ts';
import { pendingRuns } from './run.ts';
import { startRun } from './start-run.ts';
import { withdrawAnswers } from './stop-runs.ts';

/** Commands of one ticket that may wait, besides the one that is being written. */
export const MAX_WAITING = 3;

/**
 * The team asks the assistant for the next reply (contract §4.8): the note, the status, the allowance and the job commit
 * together. An answer to the trader that is being written ends at once: the reply is written in its place, into the same
 * message. Raises `resource_not_found`, `ticket_ended`, `assistant_unavailable`; `rate_limited` while {@link MAX_WAITING}
 * commands wait on this ticket.
 */
export async function askAssistant(
  ctx: AccountContext,
  { ticket: id, instruction }: z.output<typeof AskAssistantInput>,
): Promise<TicketMessage> {
  const found = await lockTicket(ctx, ctx.workspace.id, id);
  if (isEnded(found.status)) throw new ApiError('ticket_ended');
  await ensureEnabled(ctx);
  const pending = await pendingRuns(ctx, id);
  if (pending.filter(({ kind }) => kind === 'command').length > MAX_WAITING) {
    throw new ApiError('rate_limited', {
      message: `${MAX_WAITING} replies of the assistant wait on this ticket already.`,
      retryAfterSeconds: 5,
    });
  }
  // A command that is still unanswered has hidden what the ticket was before.
  const unanswered = pending.find(
    (run) => run.last_message_at === found.last_message_at && found.status === 'awaiting_trader',
  );
  const ticket = { ...found, status: unanswered?.status_before ?? found.status };
  const { message } = await addMessage(
    ctx,
    found,
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
  const owesAnswer = pending.some(({ kind }) => kind === 'answer') || unanswered?.owes_answer === true;
  const messageId = await withdrawAnswers(ctx, pending);
  if (messageId) {
    await moveReplyToEnd(ctx, found, messageId);
    await publishReset(ctx, found, messageId);
  }
  await startRun(ctx, { ticket, kind: 'command', instruction, messageId, owesAnswer });
  return message;
}

async function ensureEnabled({ em, workspace }: AccountContext): Promise<void> {
  const { rows } = await sql<{ enabled: boolean }>`
    select assistant_enabled_for_team as enabled from workspaces where id = ${workspace.id}`.execute(
    sqlOf(em),
  );
  if (!rows[0]?.enabled) throw new ApiError('assistant_unavailable');
}
