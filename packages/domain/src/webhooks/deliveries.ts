import { WEBHOOK_KEPT_DAYS, WEBHOOK_RETRY_DAYS, type WebhookEvent } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { retentionOfFirmTable } from '../platform/database/retention.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import type { SendDeliveries } from './dispatch-events.ts';
import type { AttemptOutcome } from './post-event.ts';

/** How long an attempt is reserved for its sender, by the database's clock. It takes much less. */
const LEASE_MS = 60_000;
export const RETRY_MS = WEBHOOK_RETRY_DAYS * DAY_MS;
/** The backoff of a delivery, and of an endpoint that answers nothing, before jitter. */
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 6 * 60 * 60_000;
const MAX_ENDPOINT_PAUSE_MS = 60 * 60_000;

/** A delivery that a sender has leased. */
export interface LeasedDelivery {
  id: string;
  attempts: number;
  started_at: string;
  event_id: string;
  type: WebhookEvent['type'];
  event_at: string;
  data: WebhookEvent['data'];
}

/**
 * Leases the next deliveries of an endpoint, of each subject at most one: a later one waits until it has ended. Returns none while the endpoint is
 * paused.
 */
export async function leaseDeliveries(
  { db, now }: OperationContext,
  { workspace, endpoint }: SendDeliveries,
  limit: number,
): Promise<LeasedDelivery[]> {
  const at = now.toISOString();
  const { rows } = await sql<LeasedDelivery>`
    with leased as (
      update webhook_deliveries set leased_until = now() + ${LEASE_MS} * interval '1 millisecond', attempts = attempts + 1
      where workspace_id = ${workspace} and id = any(array(
        select d.id from webhook_deliveries d
        where d.workspace_id = ${workspace} and d.endpoint_id = ${endpoint} and ${isNext(workspace)}
          and d.due_at <= ${at}::timestamptz and (d.leased_until is null or d.leased_until <= now())
        order by d.position limit ${limit} for update of d skip locked))
      returning id, event_id, attempts, started_at)
    select l.id, l.attempts, l.started_at, e.id as event_id, e.type, e.created_at as event_at, e.data
    from leased l join webhook_events e on e.workspace_id = ${workspace} and e.id = l.event_id`.execute(db);
  return rows;
}

/** The condition that the delivery \`d\` is the next one of its subject. */
const isNext = (workspace: number) => sql`d.state = 'waiting' and not exists (
  select from webhook_deliveries p
  where p.workspace_id = ${workspace} and p.endpoint_id = d.endpoint_id and p.subject = d.subject and p.state = 'waiting'
    and p.position < d.position)`;

/** Stores the outcome of an attempt, unless its lease was lost and another attempt has begun. */
export async function saveOutcome(
  { db, now }: OperationContext,
  workspace: number,
  { id, attempts, started_at }: LeasedDelivery,
  { isAccepted, status, detail }: AttemptOutcome,
): Promise<void> {
  const age = now.getTime() - Date.parse(started_at);
  const isGivenUp = !isAccepted && age >= RETRY_MS;
  const state = isAccepted ? 'delivered' : isGivenUp ? 'failed' : 'waiting';
  const due = new Date(now.getTime() + pauseAfter(age, MAX_PAUSE_MS));
  await sql`
    update webhook_deliveries set state = ${state}, status = ${status}, detail = ${detail}, leased_until = null,
      due_at = ${due.toISOString()}, ended_at = ${state === 'waiting' ? null : now.toISOString()}
    where workspace_id = ${workspace}
    and id = ${id} and attempts = ${attempts} and state = 'waiting'`.execute(db);
}

/** Returns the pause after a failure, with jitter: about as long as it has been failing already, so that each is twice as long as the last. */
function pauseAfter(failingMs: number, longestMs: number): number {
  return Math.min(Math.max(failingMs, FIRST_PAUSE_MS), longestMs) * (0.5 + Math.random() / 2);
}

/** Returns for how long an endpoint is left alone. */
export function endpointPause(failingMs: number): number {
  return pauseAfter(failingMs, MAX_ENDPOINT_PAUSE_MS);
}

/** Returns the milliseconds until the endpoint can get its next delivery, negative if that time has passed; null if none waits. */
export async function msUntilNext(
  { db, now }: OperationContext,
  { workspace, endpoint }: SendDeliveries,
): Promise<number | null> {
  const at = now.toISOString();
  const { rows } = await sql<{ ms: string | null }>`
    select 1000 * min(greatest(extract(epoch from d.due_at - ${at}::timestamptz), extract(epoch from d.leased_until - now()),
      extract(epoch from e.paused_until - ${at}::timestamptz))) as ms
    from webhook_deliveries d join webhook_endpoints e on e.workspace_id = ${workspace} and e.id = d.endpoint_id
    where d.workspace_id = ${workspace}
    and d.endpoint_id = ${endpoint} and ${isNext(workspace)} and e.disabled is null`.execute(db);
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Number(ms);
}

/** Events are kept for a week with their deliveries, so that the firm can find out what was sent, and have it sent again. */
export const webhookRetention = retentionOfFirmTable({
  kind: 'webhook_events',
  keptMs: WEBHOOK_KEPT_DAYS * DAY_MS,
  since: 'since it happened',
  table: 'webhook_events',
  at: 'created_at',
});
