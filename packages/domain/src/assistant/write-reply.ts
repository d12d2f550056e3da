import type { OperationContext } from '../platform/context.ts';
import { isUnavailable } from '../platform/database-errors.ts';
import { delay } from '../platform/delay.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { AssistantError } from './assistant.ts';
import { type BegunRun, beginRun } from './begin-run.ts';
import { boundedReply } from './bounded-reply.ts';
import { abandonRun, completeRun, giveUpRun } from './complete-run.ts';
import { DeltaWriter, OvertakenError } from './delta-writer.ts';

const writers = new WeakMap<Services, DeltaWriter>();

function writerOf(services: Services): DeltaWriter {
  const known = writers.get(services);
  if (known) return known;
  const writer = new DeltaWriter(services);
  writers.set(services, writer);
  return writer;
}

/** A reply that is written is not given up because the database is away for a while. */
const PATIENCE_MS = 60_000;
const RETRY_MS = 500;

const OUR_FAULT = 'something went wrong on our side';

/**
 * The job of one run: writes the reply while viewers look on, and stores it. The model is called outside of any
 * transaction. May run any number of times for one run, even at once: one reply results. Throws where another try helps:
 * when the worker shuts down, or the database stays away.
 */
export async function writeReply(
  services: Services,
  { run: runId }: { run: string },
  shutdown: AbortSignal = new AbortController().signal,
): Promise<void> {
  const run = await begin(services, runId);
  if (!run) return;
  let conclude: (ctx: OperationContext) => Promise<void>;
  try {
    const text = await stream(services, run, shutdown);
    conclude = (ctx) => completeRun(ctx, run, text);
  } catch (error) {
    shutdown.throwIfAborted();
    if (error instanceof OvertakenError) return;
    if (isUnavailable(error)) throw error;
    const reason = error instanceof AssistantError ? error.message : OUR_FAULT;
    services.log.warn({ run: runId, err: error }, 'the assistant did not answer');
    conclude = (ctx) => giveUpRun(ctx, run, reason);
  }
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await withTransaction(services, conclude);
    } catch (error) {
      if (!isUnavailable(error) || shutdown.aborted || Date.now() > until) throw error;
      await delay(RETRY_MS, shutdown);
    }
  }
}

/** Begins the run. One that cannot be begun is given up at once: no trader waits for the last of many tries. */
async function begin(services: Services, runId: string): Promise<BegunRun | null> {
  try {
    return await withTransaction(services, (ctx) => beginRun(ctx, runId));
  } catch (error) {
    if (isUnavailable(error)) throw error;
    services.log.error({ run: runId, err: error }, 'a reply of the assistant could not be begun');
    await withTransaction(services, (ctx) => abandonRun(ctx, runId, OUR_FAULT));
    return null;
  }
}

async function stream(services: Services, run: BegunRun, shutdown: AbortSignal): Promise<string> {
  const stopped = new AbortController();
  const stopHearing = services.live.onRunStopped((id) => {
    if (id === run.runId) stopped.abort(new OvertakenError());
  });
  const deltas = writerOf(services).open(run);
  const signal = AbortSignal.any([shutdown, stopped.signal, deltas.failed]);
  try {
    let text = '';
    for await (const piece of boundedReply(services.assistant, run.prompt, signal)) {
      text += piece;
      deltas.write(piece);
    }
    if (text.trim() === '') throw new AssistantError('the language model wrote nothing');
    await deltas.close();
    return text;
  } finally {
    stopHearing();
    deltas.abandon();
  }
}
