import type { ArticleRef } from '@firmdesk/contract';
import type { z } from 'zod';
import type { OperationContext } from '../../platform/database/context.ts';
import { isUnavailable } from '../../platform/database/database-errors.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { delay } from '../../platform/process/delay.ts';
import { withSpan } from '../../platform/process/trace.ts';
import type { Services } from '../../platform/services.ts';
import { AssistantError, type AssistantPrompt, RESET } from '../assistant.ts';
import type { ReplyOutcome, TokenUsage } from '../assistant-metrics.ts';
import { demoAssistant } from '../demo-assistant.ts';
import { readPrompt } from '../prompt.ts';
import { limitReply, replyLimits } from '../reply-limits.ts';
import { SupersededError } from './delta-writer.ts';
import { completeRun, failRun, RUN_STOPPED, restartRun, startRun } from './run.ts';
import { type Attempt, isLatest, type RunRef, type writeReplyJob } from './run-store.ts';

interface StartedRun extends Attempt {
  prompt: AssistantPrompt;
  /** Whether the ticket is in a sandbox, where the demo assistant replies. */
  isTest: boolean;
  /** The articles in the prompt. */
  articles: readonly ArticleRef[];
}

/** While the database is unavailable, storing a finished reply is retried for this long. */
const RETRY_FOR_MS = 60_000;
const RETRY_INTERVAL_MS = 500;

const INTERNAL_ERROR = 'something went wrong on our side';

/**
 * The job of a run: streams the reply to the ticket's viewers and stores it. Calls the model outside of any transaction. Jobs
 * may repeat, and run concurrently, for one run: they produce one reply. Throws if a retry of the job helps: when the worker
 * shuts down, or the database stays unavailable.
 */
export async function writeReply(
  services: Services,
  { workspace, run: runId }: z.infer<typeof writeReplyJob.payload>,
  shutdown: AbortSignal = new AbortController().signal,
): Promise<void> {
  const run = await start(services, { workspaceId: workspace, runId });
  if (!run) return;
  const started = performance.now();
  const measure = (outcome: ReplyOutcome) =>
    services.assistantMetrics.onReply(outcome, (performance.now() - started) / 1_000);
  let outcome: ReplyOutcome = 'done';
  let end: (ctx: OperationContext) => Promise<void>;
  try {
    const text = await stream(services, run, shutdown);
    end = (ctx) => completeRun(ctx, run, text, run.articles);
  } catch (error) {
    if (shutdown.aborted || isUnavailable(error)) measure('interrupted');
    shutdown.throwIfAborted();
    if (error instanceof SupersededError) return measure('superseded');
    if (isUnavailable(error)) throw error;
    outcome = 'failed';
    const reason = error instanceof AssistantError ? error.message : INTERNAL_ERROR;
    services.log.warn({ run: run.runId, err: error }, 'the assistant did not answer');
    end = (ctx) => failRun(ctx, run, reason);
  }
  const deadline = performance.now() + RETRY_FOR_MS;
  for (;;) {
    try {
      await services.firmServers.run(run.workspaceId, () => withTransaction(services, end));
      return measure(outcome);
    } catch (error) {
      if (!isUnavailable(error) || shutdown.aborted || performance.now() > deadline) {
        measure('interrupted');
        throw error;
      }
      await delay(RETRY_INTERVAL_MS, shutdown);
    }
  }
}

/**
 * Starts the run and reads its prompt; null if there is nothing to write. If that throws, the run fails immediately:
 * with retries of the job the trader would wait longer.
 */
async function start(services: Services, ref: RunRef): Promise<StartedRun | null> {
  try {
    return await services.firmServers.run(ref.workspaceId, () =>
      withTransaction(services, async (ctx) => {
        const run = await startRun(ctx, ref);
        return run && { ...run, ...(await readPrompt(ctx, run)) };
      }),
    );
  } catch (error) {
    if (isUnavailable(error)) throw error;
    services.log.error({ run: ref.runId, err: error }, 'an assistant run could not be started');
    await withTransaction(services, (ctx) => failRun(ctx, ref, INTERNAL_ERROR));
    return null;
  }
}

/**
 * Streams the reply to the ticket's viewers and returns its text. A text that was no reply is withdrawn by the next attempt. Throws
 * `SupersededError` once the run has ended elsewhere.
 */
async function stream(services: Services, run: StartedRun, shutdown: AbortSignal): Promise<string> {
  const stopped = new AbortController();
  const signal = AbortSignal.any([shutdown, stopped.signal]);
  let attempt = openAttempt(services, run, stopped);
  try {
    const text = await withSpan({ name: 'write reply', kind: 'client' }, async (span) => {
      const { onFirstToken, onUsage } = services.assistantMetrics;
      const assistant = run.isTest ? demoAssistant : services.assistant;
      const started = performance.now();
      let hasBegun = false;
      let text = '';
      const report = (usage: TokenUsage) => {
        onUsage(usage);
        span?.setAttributes({
          'gen_ai.usage.input_tokens': usage.input,
          'gen_ai.usage.output_tokens': usage.output,
        });
      };
      for await (const piece of limitReply(assistant, run.prompt, signal, replyLimits, report)) {
        if (!hasBegun) onFirstToken((performance.now() - started) / 1_000);
        hasBegun = true;
        if (piece === RESET) {
          attempt.close();
          await restart(services, run);
          attempt = openAttempt(services, run, stopped);
          text = '';
        } else {
          text += piece;
          attempt.deltas.write(piece);
        }
      }
      return text;
    });
    await attempt.deltas.close();
    return text;
  } finally {
    attempt.close();
  }
}

/** Opens the deltas of the run's attempt. Until it is closed, `stopped` is aborted when the attempt can no longer write. */
function openAttempt(services: Services, run: StartedRun, stopped: AbortController) {
  const attempt: Attempt = { workspaceId: run.workspaceId, runId: run.runId, attempt: run.attempt };
  let isOpen = true;
  const unsubscribe = services.signals.on(RUN_STOPPED, (runId) => {
    if (runId !== null && runId !== attempt.runId) return;
    isLatest(services, attempt).then(
      (latest) => latest || !isOpen || stopped.abort(new SupersededError()),
      // While the database is unavailable, nothing is stored. The next delta finds out that the run has ended.
      () => {},
    );
  });
  const deltas = services.deltaWriter.open(attempt);
  deltas.failed.addEventListener('abort', () => isOpen && stopped.abort(deltas.failed.reason));
  return {
    deltas,
    close() {
      isOpen = false;
      unsubscribe();
      deltas.abandon();
    },
  };
}

/** Begins the next attempt of a run in this worker: viewers discard the text that they have. */
async function restart(services: Services, run: StartedRun): Promise<void> {
  const next = await services.firmServers.run(run.workspaceId, () =>
    withTransaction(services, (ctx) => restartRun(ctx, run)),
  );
  if (!next) throw new SupersededError();
  run.attempt = next.attempt;
}
