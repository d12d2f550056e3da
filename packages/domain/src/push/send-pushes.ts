import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { enqueue } from '../kernel/jobs.ts';
import type { Services } from '../kernel/services.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { type Composed, compose } from './compose.ts';
import { sendJob } from './enqueue.ts';
import { type EndState, nextDueAt, type PushResult, record, type TakenPush, takeDue } from './outbox.ts';
import type { PushOutcome } from './provider.ts';

/** Rows taken at once: the provider is asked for all of them side by side. */
const BATCH = 200;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 15 * 60_000;
const SHORTEST_WAIT_MS = 1_000;

/** Registrations to take away: the provider says that their tokens are no good. */
interface GoneDevice {
  token_id: string;
  app: string;
  device_token: string;
  /** Registered anew since: it stays. Null: whenever it was registered. */
  since: string | null;
}

/**
 * Sends what is due until nothing is, each with its `apns-id`, and notes what became of it. If this process dies between
 * the two, the row is sent once more, with the same id.
 */
export async function sendPushes(services: Services, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const taken = await withTransaction(services, (ctx) => takeDue(ctx, BATCH));
    if (taken.length === 0) break;
    const composed = await compose(services, taken);
    const results = await Promise.all(taken.map((row) => sendOne(services, row, composed.get(row.id)!)));
    await withTransaction(services, async (ctx) => {
      await record(
        ctx,
        results.map(({ result }) => result),
      );
      await removeDevices(
        ctx,
        results.flatMap(({ gone }) => gone ?? []),
      );
    });
  }
  await withTransaction(services, wakeForNext);
}

/** What waits for a later try is sent then; a job that waits already is moved. */
async function wakeForNext(ctx: VerbContext): Promise<void> {
  const next = await nextDueAt(ctx);
  if (!next) return;
  // The queue's clock may be ahead of ours: a job that comes too early must not call the next one at once.
  const wait = Math.max(next.getTime() - ctx.now.getTime(), SHORTEST_WAIT_MS);
  await enqueue(ctx, sendJob, {}, { key: 'push.wake', runAt: new Date(Date.now() + wait) });
}

async function sendOne(
  services: Services,
  row: TakenPush,
  composed: Composed,
): Promise<{ result: PushResult; gone?: GoneDevice }> {
  const end = (state: EndState, reason: string | null): PushResult => {
    const { id, attempts } = row;
    if (state === 'refused')
      services.log.warn({ push: id, app: row.app, type: row.type, reason }, 'push refused');
    return { id, attempts, state, reason, due_at: null };
  };
  if ('drop' in composed) return { result: end('dropped', composed.drop) };
  const { push } = composed;
  const outcome = await services.push.send(push);
  if (outcome.status === 'sent') return { result: end('sent', null) };
  if (outcome.status === 'retry') return { result: again(services, row, outcome) };
  if (outcome.status === 'gone') {
    const since = outcome.since?.toISOString() ?? null;
    const { token_id, app } = row;
    const gone = { token_id, app, device_token: push.deviceToken, since };
    return { result: end('refused', outcome.reason), gone };
  }
  return { result: end(outcome.status, outcome.reason) };
}

/** The next try, if it comes before the notification expires: pauses double, scattered by half, or as the provider says. */
function again(
  { clock }: Services,
  { id, attempts, expires_at }: TakenPush,
  { reason, afterMs }: Extract<PushOutcome, { status: 'retry' }>,
): PushResult {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  const wait = Math.max(pause * (0.5 + Math.random() / 2), afterMs ?? 0);
  const due = clock.now().getTime() + wait;
  if (due >= Date.parse(expires_at)) return { id, attempts, state: 'dropped', reason, due_at: null };
  return { id, attempts, state: 'waiting', reason, due_at: new Date(due).toISOString() };
}

/** A registration goes unless it was made or renewed after the provider had found its token invalid. */
async function removeDevices({ em }: VerbContext, gone: readonly GoneDevice[]): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    delete from devices d
    using jsonb_to_recordset(${JSON.stringify(gone)}::jsonb)
      as g (token_id text, app text, device_token text, since timestamptz)
    where d.token_id = g.token_id and d.app = g.app and d.device_token = g.device_token
      and (g.since is null or d.last_seen_at <= g.since)`.execute(sqlOf(em));
}
