import type { MessageAuthor } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { addMessage, publishReset, type TicketState } from '../tickets/index.ts';
import type { AssistantPrompt } from './assistant.ts';
import type { Attempt } from './delta-writer.ts';
import { failRun } from './fail-run.ts';
import { MAX_MESSAGES, type PromptMaterial, promptOf } from './prompt.ts';
import { lockRun, obstacleOf, pendingRuns, type Run } from './run.ts';

export interface BegunRun extends Attempt {
  prompt: AssistantPrompt;
}

/**
 * Takes a run up: for the first time, or after a worker that died over it. From here on only this attempt may write. Null
 * when there is nothing to write: it has ended, its turn has not come, or it cannot be, and now ends with a note.
 */
export async function beginRun(ctx: OperationContext, runId: string): Promise<BegunRun | null> {
  const found = await lockRun(ctx, runId);
  if (!found || found.run.ended_at) return null;
  const { run, ticket } = found;
  const [first] = await pendingRuns(ctx, ticket.id);
  if (first?.id !== run.id) return null;
  const obstacle = obstacleOf(run, ticket);
  if (obstacle) {
    await failRun(ctx, run, ticket, obstacle);
    return null;
  }
  if (run.message_id && run.attempt > 0) await publishReset(ctx, ticket, run.message_id);
  const messageId = run.message_id ?? (await openMessage(ctx, ticket));
  const attempt = run.attempt + 1;
  await sql`
    update assistant_runs set state = 'running', attempt = ${attempt}, streamed = 0, message_id = ${messageId}
    where id = ${run.id}`.execute(sqlOf(ctx.em));
  return { runId: run.id, attempt, prompt: promptOf(await materialOf(ctx, run)) };
}

/** The reply's message exists from its start, for the team alone while it is streaming. */
async function openMessage(ctx: OperationContext, ticket: TicketState): Promise<string> {
  const { message } = await addMessage(ctx, ticket, {
    from: 'ai',
    authorId: null,
    author: 'Assistant',
    body: '',
    streaming: true,
  });
  return message.id;
}

async function materialOf({ em }: OperationContext, run: Run): Promise<PromptMaterial> {
  const { rows } = await sql<Pick<PromptMaterial, 'firm' | 'subject' | 'trader'>>`
    select w.name as firm, t.subject, u.name as trader from tickets t
    join workspaces w on w.id = t.workspace_id join users u on u.id = t.trader_id
    where t.id = ${run.ticket_id}`.execute(sqlOf(em));
  const messages = await sql<{ from: MessageAuthor; author: string; body: string }>`
    select from_kind as "from", author, body from ticket_messages
    where ticket_id = ${run.ticket_id} and not internal and not streaming
    order by created_at desc, id desc limit ${MAX_MESSAGES}`.execute(sqlOf(em));
  return { ...rows[0]!, messages: messages.rows.reverse(), instruction: run.instruction };
}
