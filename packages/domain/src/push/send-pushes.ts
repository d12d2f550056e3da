import type { PushEnvironment } from '@firmdesk/contract';
import type { OperationContext } from '../platform/context.ts';
import { enqueue } from '../platform/jobs.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { Services } from '../platform/services.ts';
import { withSpan } from '../platform/trace.ts';
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

// Together, the concurrent batches have as many pushes as the provider accepts concurrently on a connection.
const BATCH = 200;
const CONCURRENT_BATCHES = 5;
/** The backoff of retries, before jitter. */
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15 * 60_000;
/** The shortest delay of a scheduled run. */
const MIN_WAIT_MS = 1_000;
/** A batch that cannot be sent within this part of its lease is not sent. The rest of the lease is for the provider's responses. */
const MAX_COMPOSE_MS = LEASE_MS / 2;

/** A registration whose token the provider rejected. */
interface InvalidDevice {
  token_id: string;
  app: string;
  device_token: string;
  /** When the token became invalid. A registration that was renewed later is kept. Null: the registration is always removed. */
  since: string | null;
}

/** The running sender of this process, and whether another run was requested meanwhile. */
const senders = new WeakMap<Services, { isRequested: boolean }>();

/**
 * Sends all due pushes and stores their results. If the process dies between the two, a push is sent again with the same `apns-id`.
 * A process has one sender: a call while it runs returns immediately, and makes it run once more.
 */
export async function sendPushes(services: Services, signal?: AbortSignal): Promise<void> {
  const running = senders.get(services);
  if (running) {
    running.isRequested = true;
    return;
  }
  const sender = { isRequested: true };
  senders.set(services, sender);
  try {
    while (sender.isRequested && !signal?.aborted) {
      sender.isRequested = false;
      await sendAllDue(services, signal);
    }
  } finally {
    senders.delete(services);
  }
  await withTransaction(services, scheduleNextRun);
}

/** Sends batches until no push is due. The next batch is leased and composed while others are being sent, to hide latency. */
async function sendAllDue(services: Services, signal: AbortSignal | undefined): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  while (!signal?.aborted && failures.length === 0) {
    const startBy = performance.now() + MAX_COMPOSE_MS;
    const rows = await leaseDue(services, BATCH).catch((error: unknown) => {
      failures.push(error);
      return [];
    });
    if (rows.length === 0) break;
    const batch: Promise<void> = sendBatch(services, rows, startBy)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(batch));
    running.add(batch);
    if (running.size === CONCURRENT_BATCHES) await Promise.race(running);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

async function sendBatch(services: Services, rows: readonly LeasedPush[], startBy: number): Promise<void> {
  const composed = await composeEach(services, rows);
  // The process or the database was too slow. Another sender may lease the rows before the provider responds.
  if (performance.now() > startBy)
    throw new Error('A push batch was not sent, because it was composed too slowly for its lease.');
  const attempts = await Promise.all(rows.map((row) => sendOne(services, row, composed.get(row.id))));
  const invalid = attempts.flatMap(({ invalidDevice }) => invalidDevice ?? []);
  // Removed before the results are saved: if the process dies between the two, the next attempt finds no device.
  if (invalid.length > 0) await removeInvalidDevices(services, invalid);
  const results = attempts.map(({ result }) => result);
  await saveResults(services, results);
  for (const [index, { app }] of rows.entries()) {
    const { state, reason } = results[index]!;
    const environment = attempts[index]!.environment ?? 'unknown';
    services.pushMetrics.onAttempt({
      app,
      environment,
      result: resultLabels[state],
      reason: reasonLabel(reason),
    });
  }
}

/** Composes a batch. If that fails, each firm's pushes separately: a firm whose rows cannot be read delays no other. */
async function composeEach(
  services: Services,
  rows: readonly LeasedPush[],
): Promise<Map<string, ComposedPush>> {
  try {
    return await composePushes(services, rows);
  } catch (error) {
    services.log.warn({ err: error }, 'a batch of pushes cannot be composed');
  }
  const composed = new Map<string, ComposedPush>();
  for (const ofFirm of Map.groupBy(rows, ({ workspace_id }) => workspace_id).values()) {
    const part = await composePushes(services, ofFirm).catch(() => []);
    for (const [id, push] of part) composed.set(id, push);
  }
  return composed;
}

/** The metric label of each state. */
const resultLabels: Readonly<Record<PushResult['state'], AttemptResult>> = {
  sent: 'delivered',
  refused: 'failed',
  dropped: 'dropped',
  unsent: 'dropped',
  waiting: 'retried',
};

/** Schedules a run for the next attempt. An earlier scheduled run is moved. */
async function scheduleNextRun(ctx: OperationContext): Promise<void> {
  const nextMs = await msUntilNextLease(ctx);
  if (nextMs === null) return;
  // A job that runs slightly early must not enqueue the next one immediately.
  await enqueue(ctx, sendPushesJob, {}, { key: 'push.wake', afterMs: Math.max(nextMs, MIN_WAIT_MS) });
}

interface Attempt {
  result: PushResult;
  /** Missing if the device is no longer registered. */
  environment?: PushEnvironment;
  invalidDevice?: InvalidDevice;
}

/** Sends a push. One that could not be composed is retried later. */
async function sendOne(
  services: Services,
  row: LeasedPush,
  composed: ComposedPush | undefined,
): Promise<Attempt> {
  if (!composed) return { result: retryLater(services, row, { reason: 'unreadable', afterMs: null }) };
  if ('isSuspended' in composed)
    return { result: retryLater(services, row, { reason: 'firm_suspended', afterMs: null }) };
  const end = (state: FinalState, reason: string | null): PushResult => {
    const { id, attempts } = row;
    if (state === 'refused')
      services.log.warn({ push: id, app: row.app, type: row.type, reason }, 'push refused');
    return { id, attempts, state, reason, due_at: null };
  };
  if ('dropReason' in composed) return { result: end('dropped', composed.dropReason) };
  const { push } = composed;
  const { environment } = push;
  const span = {
    name: 'push',
    kind: 'client',
    attributes: { 'firmdesk.push': row.id },
    parent: row.trace,
  } as const;
  const outcome = await withSpan(span, () =>
    services.pushMetrics.measure(row.app, environment, () => services.push.send(push)),
  );
  if (outcome.status === 'sent') return { result: end('sent', null), environment };
  if (outcome.status === 'retry') return { result: retryLater(services, row, outcome), environment };
  if (outcome.status === 'gone') {
    const since = outcome.since?.toISOString() ?? null;
    const { token_id, app } = row;
    const invalidDevice = { token_id, app, device_token: push.deviceToken, since };
    return { result: end('refused', outcome.reason), environment, invalidDevice };
  }
  return { result: end(outcome.status, outcome.reason), environment };
}

/** Schedules the next attempt with exponential backoff and jitter, or after the provider's delay; drops a push that expires first. */
function retryLater(
  { clock }: Services,
  { id, attempts, expires_at }: LeasedPush,
  { reason, afterMs }: Omit<Extract<PushOutcome, { status: 'retry' }>, 'status'>,
): PushResult {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS);
  const wait = Math.max(delay * (0.5 + Math.random() / 2), afterMs ?? 0);
  const due = clock.now().getTime() + wait;
  if (due >= Date.parse(expires_at)) return { id, attempts, state: 'dropped', reason, due_at: null };
  return { id, attempts, state: 'waiting', reason, due_at: new Date(due).toISOString() };
}

/** Removes registrations, except those made or renewed after the provider found their token invalid. */
async function removeInvalidDevices({ pool }: Services, devices: readonly InvalidDevice[]): Promise<void> {
  await queryPool(
    pool,
    `delete from devices d
    using jsonb_to_recordset($1::jsonb) as i (token_id text, app text, device_token text, since timestamptz)
    where d.token_id = i.token_id and d.app = i.app and d.device_token = i.device_token
      and (i.since is null or d.last_seen_at <= i.since)`,
    [JSON.stringify(devices)],
  );
}
