import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { withSpan } from '../../platform/process/trace.ts';
import type { Services } from '../../platform/services.ts';
import { type ComposedPush, composePushes } from '../content/compose-pushes.ts';
import {
  type FinalState,
  LEASE_MS,
  type LeasedPush,
  leaseDue,
  msUntilNextLease,
  type PushResult,
} from '../outbox.ts';
import type { BrowserPush, Push, PushOutcome } from '../push-provider.ts';
import { sendPushesJob } from '../queue-pushes.ts';
import { type Attempt, ResultWriter } from './result-writer.ts';

/** The pushes that are leased and composed together. */
const BATCH = 500;
/** The requests to the provider at once: as many as it accepts on a connection. */
const CONCURRENT_PUSHES = 1_000;
/** After this many pushes, other work of the process gets its turn. */
const PUSHES_PER_TURN = 50;
/** The backoff of retries, before jitter. */
const FIRST_DELAY_MS = 2_000;
const MAX_DELAY_MS = 15 * 60_000;
/** The shortest delay of a scheduled run. */
const MIN_WAIT_MS = 1_000;
/** A push that cannot be sent within this part of its lease is not sent. The rest of the lease is for the provider's response. */
const MAX_WAIT_MS = LEASE_MS / 2;

declare module '../../platform/services.ts' {
  interface Services {
    /** The running sender of pushes; null if none runs. */
    pushSender: PushSender | null;
  }
}

/** Remembers that another run was requested while the sender runs. */
class PushSender {
  isRequested = true;
  #wake = () => {};

  request(): void {
    this.isRequested = true;
    this.#wake();
  }

  /** Resolves at the next request. */
  requested(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.isRequested) resolve();
    });
  }
}

/**
 * Sends all due pushes and stores their results. If the process dies between the two, a push is sent again with the same `apns-id`.
 * A process has one sender: a call while it runs returns immediately, and makes it run once more.
 */
export async function sendPushes(services: Services, signal?: AbortSignal): Promise<void> {
  if (services.pushSender) {
    services.pushSender.request();
    return;
  }
  const sender = new PushSender();
  services.pushSender = sender;
  try {
    while (sender.isRequested && !signal?.aborted) {
      sender.isRequested = false;
      await sendAllDue(services, sender, signal);
    }
  } finally {
    services.pushSender = null;
  }
  await withTransaction(services, scheduleNextRun);
}

interface Batch {
  rows: readonly LeasedPush[];
  composed: Map<string, ComposedPush>;
  /** By `performance.now()`. Another sender may lease rows that are sent later before the provider responds. */
  startBy: number;
}

/**
 * Sends pushes until none is due. While those of a batch are being sent, the next one is composed, and results are stored. A server that takes long to
 * answer does not delay what is requested meanwhile.
 */
async function sendAllDue(
  services: Services,
  sender: PushSender,
  signal: AbortSignal | undefined,
): Promise<void> {
  const limit = pLimit(CONCURRENT_PUSHES);
  const sending = new Set<Promise<void>>();
  const results = new ResultWriter(services);
  /** Resolves when the push begins to be sent. */
  const send = (row: LeasedPush, composed: ComposedPush | undefined) =>
    new Promise<void>((begin) => {
      const sent = limit(async () => {
        begin();
        results.add(await sendOne(services, row, composed));
      }).finally(() => sending.delete(sent));
      sending.add(sent);
    });
  const take = async () => (signal?.aborted || results.hasFailed ? null : await takeBatch(services));
  try {
    let next = take();
    for (;;) {
      const batch = await next;
      if (!batch) {
        if (signal?.aborted || results.hasFailed) break;
        await Promise.race([Promise.all(sending), sender.requested()]);
        if (!sender.isRequested) break;
        sender.isRequested = false;
        next = take();
        continue;
      }
      next = take();
      // The error is thrown where the promise is awaited, after this batch.
      next.catch(() => {});
      for (const [n, row] of batch.rows.entries()) {
        if (performance.now() > batch.startBy)
          throw new Error('Pushes were not sent, because half of their lease had passed before their turn.');
        await send(row, batch.composed.get(row.id));
        if (n % PUSHES_PER_TURN === PUSHES_PER_TURN - 1) await setImmediate();
      }
    }
  } finally {
    await Promise.all(sending);
    await results.end();
  }
}

/** Leases and composes due pushes. Returns null if none is due. */
async function takeBatch(services: Services): Promise<Batch | null> {
  const startBy = performance.now() + MAX_WAIT_MS;
  const rows = await leaseDue(services, BATCH);
  return rows.length === 0 ? null : { rows, composed: await composeEach(services, rows), startBy };
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

/** Schedules a run for the next attempt. An earlier scheduled run is moved. */
async function scheduleNextRun(ctx: OperationContext): Promise<void> {
  const nextMs = await msUntilNextLease(ctx);
  if (nextMs === null) return;
  // A job that runs slightly early must not enqueue the next one immediately.
  await enqueue(ctx, sendPushesJob, {}, { key: 'push.wake', afterMs: Math.max(nextMs, MIN_WAIT_MS) });
}

/** Sends a push; one in a sandbox is recorded instead. One that could not be composed is retried later. */
async function sendOne(
  services: Services,
  row: LeasedPush,
  composed: ComposedPush | undefined,
): Promise<Attempt> {
  const { app } = row;
  if (!composed) return { app, result: retryLater(services, row, { reason: 'unreadable', afterMs: null }) };
  if ('isSuspended' in composed)
    return { app, result: retryLater(services, row, { reason: 'firm_suspended', afterMs: null }) };
  const end = (state: FinalState, reason: string | null): PushResult => {
    const { id, attempts } = row;
    if (state === 'refused')
      services.log.warn({ push: id, app: row.app, type: row.type, reason }, 'push refused');
    return { id, attempts, state, reason, due_at: null };
  };
  if ('dropReason' in composed) return { app, result: end('dropped', composed.dropReason) };
  const { push, isTest } = composed;
  const { environment } = push;
  if (isTest)
    return { app, result: { ...end('unsent', 'test'), payload: JSON.parse(push.payload) }, environment };
  const span = {
    name: 'push',
    kind: 'client',
    attributes: { 'firmdesk.push': row.id },
    parent: row.trace,
  } as const;
  const outcome = await withSpan(span, () =>
    services.pushMetrics.measure(app, environment, () => sendTo(services, push)),
  );
  if (outcome.status === 'sent') return { app, result: end('sent', null), environment };
  if (outcome.status === 'retry') return { app, result: retryLater(services, row, outcome), environment };
  if (outcome.status === 'gone') {
    const since = outcome.since?.toISOString() ?? null;
    const invalidDevice = { token_id: row.token_id, app, device_token: push.deviceToken, since };
    return { app, result: end('refused', outcome.reason), environment, invalidDevice };
  }
  return { app, result: end(outcome.status, outcome.reason), environment };
}

/** Sends a push to a phone or a browser. */
async function sendTo(
  { push: phones, browserPush }: Services,
  push: Push | BrowserPush,
): Promise<PushOutcome> {
  if (push.app !== 'browser') return phones.send(push);
  return (await browserPush?.send(push)) ?? { status: 'unsent', reason: 'not_set_up' };
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
