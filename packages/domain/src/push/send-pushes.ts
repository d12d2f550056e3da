import type { PushEnvironment } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { enqueue } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { withTransaction } from '../platform/transaction.ts';
import { type ComposedPush, composePushes } from './compose-pushes.ts';
import {
  type FinalState,
  LEASE_MS,
  type LeasedPush,
  leaseDue,
  msUntilNextLease,
  type PushResult,
  saveResults,
} from './outbox.ts';
import { type AttemptResult, reasonLabel } from './push-metrics.ts';
import type { PushOutcome } from './push-provider.ts';
import { sendPushesJob } from './queue-pushes.ts';

/** Rows taken at once, and so many times that: as many as the provider takes side by side on a connection. */
const BATCH = 200;
const BATCHES_AT_ONCE = 5;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const SHORTEST_WAIT_MS = 1_000;
/** A batch is sent within so much of its lease, or not at all; the rest is for the provider's answers. */
const START_MS = LEASE_MS / 2;

/** Registrations to take away: the provider says that their tokens are no good. */
interface InvalidDevice {
  token_id: string;
  app: string;
  device_token: string;
  /** Registered anew since: it stays. Null: whenever it was registered. */
  since: string | null;
}

/** The sender of each process, and whether it was asked for again while it works. */
const senders = new WeakMap<Services, { again: boolean }>();

/**
 * Sends what is due until nothing is, each with its `apns-id`, and notes what became of it. If this process dies between
 * the two, the row is sent once more, with the same id. A process has one sender: whoever asks while it works has it look
 * once more, and waits for nothing.
 */
export async function sendPushes(services: Services, signal?: AbortSignal): Promise<void> {
  const busy = senders.get(services);
  if (busy) {
    busy.again = true;
    return;
  }
  const sender = { again: true };
  senders.set(services, sender);
  try {
    while (sender.again && !signal?.aborted) {
      sender.again = false;
      await sendAllDue(services, signal);
    }
  } finally {
    senders.delete(services);
  }
  await withTransaction(services, scheduleNextRun);
}

/** While some batches are on their way, the next is taken and written: the provider is a network away, and so is the database. */
async function sendAllDue(services: Services, signal: AbortSignal | undefined): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (!signal?.aborted && failures.length === 0) {
    const startBy = performance.now() + START_MS;
    const taken = await leaseDue(services, BATCH).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    if (taken.length === 0) break;
    const batch: Promise<void> = sendBatch(services, taken, startBy)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => underWay.delete(batch));
    underWay.add(batch);
    if (underWay.size === BATCHES_AT_ONCE) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  if (failures.length > 0) throw failures[0];
}

async function sendBatch(services: Services, taken: readonly LeasedPush[], startBy: number): Promise<void> {
  const composed = await composePushes(services, taken);
  // This process stood still, or the database did: the rows may be another's by now.
  if (performance.now() > startBy)
    throw new Error('The lease of a batch of notifications ran out before it was sent.');
  const tried = await Promise.all(taken.map((row) => sendOne(services, row, composed.get(row.id)!)));
  const gone = tried.flatMap(({ gone }) => gone ?? []);
  // Before the results: should this process die between the two, the next try finds no device.
  if (gone.length > 0) await removeInvalidDevices(services, gone);
  const results = tried.map(({ result }) => result);
  await saveResults(services, results);
  for (const [index, { app }] of taken.entries()) {
    const { state, reason } = results[index]!;
    const environment = tried[index]!.environment ?? 'unknown';
    services.pushMetrics.onAttempt({
      app,
      environment,
      result: countedAs[state],
      reason: reasonLabel(reason),
    });
  }
}

const countedAs: Readonly<Record<PushResult['state'], AttemptResult>> = {
  sent: 'delivered',
  refused: 'failed',
  dropped: 'dropped',
  unsent: 'dropped',
  waiting: 'retried',
};

/** What waits for a later try is sent then; a job that waits already is moved. */
async function scheduleNextRun(ctx: OperationContext): Promise<void> {
  const nextMs = await msUntilNextLease(ctx);
  if (nextMs === null) return;
  // A job that comes too early must not call the next one at once.
  await enqueue(ctx, sendPushesJob, {}, { key: 'push.wake', afterMs: Math.max(nextMs, SHORTEST_WAIT_MS) });
}

interface Attempt {
  result: PushResult;
  /** Of the device, where there is still one. */
  environment?: PushEnvironment;
  gone?: InvalidDevice;
}

async function sendOne(services: Services, row: LeasedPush, composed: ComposedPush): Promise<Attempt> {
  const end = (state: FinalState, reason: string | null): PushResult => {
    const { id, attempts } = row;
    if (state === 'refused')
      services.log.warn({ push: id, app: row.app, type: row.type, reason }, 'push refused');
    return { id, attempts, state, reason, due_at: null };
  };
  if ('drop' in composed) return { result: end('dropped', composed.drop) };
  const { push } = composed;
  const { environment } = push;
  const outcome = await services.pushMetrics.measure(row.app, environment, () => services.push.send(push));
  if (outcome.status === 'sent') return { result: end('sent', null), environment };
  if (outcome.status === 'retry') return { result: retryLater(services, row, outcome), environment };
  if (outcome.status === 'gone') {
    const since = outcome.since?.toISOString() ?? null;
    const { token_id, app } = row;
    const gone = { token_id, app, device_token: push.deviceToken, since };
    return { result: end('refused', outcome.reason), environment, gone };
  }
  return { result: end(outcome.status, outcome.reason), environment };
}

/** The next try, if it comes before the notification expires: pauses double, scattered by half, or as the provider says. */
function retryLater(
  { clock }: Services,
  { id, attempts, expires_at }: LeasedPush,
  { reason, afterMs }: Extract<PushOutcome, { status: 'retry' }>,
): PushResult {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  const wait = Math.max(pause * (0.5 + Math.random() / 2), afterMs ?? 0);
  const due = clock.now().getTime() + wait;
  if (due >= Date.parse(expires_at)) return { id, attempts, state: 'dropped', reason, due_at: null };
  return { id, attempts, state: 'waiting', reason, due_at: new Date(due).toISOString() };
}

/** A registration goes unless it was made or renewed after the provider had found its token invalid. */
async function removeInvalidDevices({ pool }: Services, gone: readonly InvalidDevice[]): Promise<void> {
  await pool.query(
    `delete from devices d
    using jsonb_to_recordset($1::jsonb) as g (token_id text, app text, device_token text, since timestamptz)
    where d.token_id = g.token_id and d.app = g.app and d.device_token = g.device_token
      and (g.since is null or d.last_seen_at <= g.since)`,
    [JSON.stringify(gone)],
  );
}
