import type { DraftReplyInput, DraftStreamEvent, TicketStatus } from '@firmdesk/contract';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import { sql } from 'kysely';
import type { z } from 'zod';
import { withTransaction } from '../../platform/database/transaction.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { Services } from '../../platform/services.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import type { TrackedStream } from '../../procedures/tracked-stream.ts';
import { isEnded } from '../../tickets/index.ts';
import { takeReply } from '../allowance.ts';
import { AssistantError, RESET } from '../assistant.ts';
import type { ReplyOutcome } from '../assistant-metrics.ts';
import { demoAssistant } from '../demo-assistant.ts';
import { readPrompt } from '../prompt.ts';
import { limitReply } from '../reply-limits.ts';
import { takeDraftSlot } from './draft-slots.ts';

const LOST = 'the connection to the service was interrupted';
const THOUGHTS = 'the language model wrote its thoughts instead of a reply';
const INTERNAL_ERROR = 'something went wrong on our side';

type Prepared = Awaited<ReturnType<typeof readPrompt>>;

/**
 * Streams a draft of a reply to the caller. Nothing is stored but the use of the allowance, so a draft cannot be resumed: a client that
 * reconnects with `lastEventId` is told that it has failed. Throws `resource_not_found`, `ticket_ended`, `assistant_unavailable`, and
 * `rate_limited` beyond the shares of the account and of the firm. A trial answers the trader's last message as if it had just arrived, also of an
 * ended ticket.
 */
export async function draftReply(
  ctx: AccountContext,
  { ticket, instruction, lastEventId }: z.output<typeof DraftReplyInput>,
  signal: AbortSignal,
  { isTrial = false } = {},
): Promise<TrackedStream<DraftStreamEvent>> {
  if (lastEventId) return failure(lastEventId);
  // The draft is counted before anything else: a refused draft uses nothing of the allowance, and concurrent drafts are all
  // counted.
  const release = await takeDraftSlot(ctx, signal);
  try {
    return write(ctx.services, await prepare(ctx, { ticket, instruction }, isTrial), signal, release);
  } catch (error) {
    release();
    throw error;
  }
}

/** Checks the ticket and the firm's switch, reads the prompt, and uses the allowance. */
async function prepare(
  { services, workspace }: AccountContext,
  { ticket, instruction }: Pick<z.output<typeof DraftReplyInput>, 'ticket' | 'instruction'>,
  isTrial: boolean,
): Promise<Prepared> {
  return withTransaction(services, async (ctx) => {
    const { rows } = await sql<{ status: TicketStatus; enabled: boolean }>`
      select t.status, w.assistant_enabled_for_team as enabled from tickets t join workspaces w on w.id = t.workspace_id
      where t.workspace_id = ${workspace.id} and t.id = ${ticket}`.execute(ctx.db);
    const found = rows[0];
    if (!found) throw new ApiError('resource_not_found');
    if (isEnded(found.status) && !isTrial) throw new ApiError('ticket_ended');
    if (!found.enabled) throw new ApiError('assistant_unavailable');
    const prompt = await readPrompt(ctx, {
      workspaceId: workspace.id,
      ticketId: ticket,
      instruction: instruction || null,
      isTrial,
    });
    // The allowance is used last, because all requests of the firm wait for the lock of its count.
    if (!(await takeReply(ctx, workspace.id)))
      throw new ApiError('assistant_unavailable', {
        message: 'The firm’s allowance of replies for this month is used up.',
      });
    return prompt;
  });
}

async function* write(
  services: Services,
  { prompt, isTest, articles }: Prepared,
  signal: AbortSignal,
  release: () => void,
): AsyncGenerator<TrackedEnvelope<DraftStreamEvent>> {
  const { assistantMetrics: metrics } = services;
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1_000;
  let count = 0;
  const event = (body: DraftStreamEvent) => tracked(String(++count), body);
  let outcome: ReplyOutcome = 'interrupted';
  try {
    yield event({ type: 'started', articles: [...articles] });
    const assistant = isTest ? demoAssistant : services.assistant;
    let isEmpty = true;
    for await (const text of limitReply(assistant, prompt, signal, undefined, metrics.onUsage)) {
      if (text === RESET) {
        outcome = 'failed';
        return yield event({ type: 'failed', reason: THOUGHTS, discard_text: true });
      }
      if (isEmpty) metrics.onFirstToken(seconds());
      isEmpty = false;
      yield event({ type: 'text_delta', text });
    }
    outcome = 'done';
    yield event({ type: 'done' });
  } catch (error) {
    // The caller has stopped it, or the process stops.
    if (signal.aborted) return;
    outcome = 'failed';
    services.log.warn({ err: error }, 'the assistant did not finish a draft');
    yield event({
      type: 'failed',
      reason: error instanceof AssistantError ? error.message : INTERNAL_ERROR,
    });
  } finally {
    release();
    metrics.onReply(outcome, seconds());
  }
}

async function* failure(lastEventId: string): AsyncGenerator<TrackedEnvelope<DraftStreamEvent>> {
  yield tracked(lastEventId, { type: 'failed', reason: LOST });
}
