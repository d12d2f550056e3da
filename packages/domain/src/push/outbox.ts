import type { PushApp } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { retentionOfTable } from '../platform/database/retention.ts';
import { DAY_MS } from '../platform/process/clock.ts';
import type { Services } from '../platform/services.ts';

/** The `type` of a push in its payload. */
export type PushType = 'mail.message' | 'calendar.reminder' | 'admin.notification' | 'test';

/** Identifies a reminder of an occurrence. Timestamps are in ISO 8601. */
export interface ReminderRef {
  event_id: number;
  minutes_before: number;
  /** The recurrence id in a series; null for an event that does not repeat. */
  occurrence_start: string | null;
  starts_at: string;
}

/** A row that a sender has leased. */
export interface LeasedPush {
  /** The `apns-id`, and the `apns-collapse-id` of types without one of their own. */
  id: string;
  token_id: string;
  /** The firm and the account of the token. */
  workspace_id: number;
  user_id: string;
  app: PushApp;
  type: PushType;
  /** What the push is about, once per device: the id of a message or a notification, or a key made from the reminder. */
  subject: string;
  reminder: ReminderRef | null;
  attempts: number;
  expires_at: string;
  /** The `traceparent` of the work that queued the push; null if tracing was off. */
  trace: string | null;
}

/** A state in which a push is not attempted again. `unsent`: no provider is configured, or it is one of a sandbox. */
export type FinalState = 'sent' | 'refused' | 'dropped' | 'unsent';

/** The result of an attempt: a final state, or the time of the next attempt. */
export interface PushResult {
  id: string;
  /** The number of the attempt. The result of an attempt whose lease was lost is ignored. */
  attempts: number;
  state: FinalState | 'waiting';
  reason: string | null;
  due_at: string | null;
  /** The payload of a push that is recorded, not sent: in a sandbox. */
  payload?: unknown;
}

/** The duration of a lease, by the database's clock. Sending a batch takes much less. */
export const LEASE_MS = 20_000;

const LEASE_DUE = {
  name: 'push-lease-due',
  text: `
    update push_outbox o set leased_until = now() + $2 * interval '1 millisecond', attempts = attempts + 1
    from tokens t
    where t.id = o.token_id and o.id = any(array(
      select id from push_outbox
      where state = 'waiting' and due_at <= $1 and (leased_until is null or leased_until <= now())
      order by due_at limit $3 for update skip locked))
    returning o.id, token_id, t.workspace_id, t.user_id, app, type, subject, reminder, attempts, o.expires_at, o.trace`,
};

/** Leases due rows, the oldest first. No other sender gets them until the lease ends. */
export async function leaseDue({ pool, clock }: Services, limit: number): Promise<LeasedPush[]> {
  const values = [clock.now().toISOString(), LEASE_MS, limit];
  return (await pool.query<LeasedPush>({ ...LEASE_DUE, values })).rows;
}

// `ended_at is null` means `state = 'waiting'`. With the latter, the planner reads the index of all waiting rows.
const SAVE_RESULTS = {
  name: 'push-save-results',
  text: `
    update push_outbox o set state = r.state, reason = r.reason, payload = r.payload, due_at = coalesce(r.due_at, o.due_at),
      leased_until = null, ended_at = case when r.state = 'waiting' then null else $2::timestamptz end
    from jsonb_to_recordset($1::jsonb)
      as r (id uuid, attempts integer, state text, reason text, due_at timestamptz, payload jsonb)
    where o.id = r.id and o.attempts = r.attempts and o.ended_at is null`,
};

/** Stores the results of leased rows, and ends their leases. */
export async function saveResults({ pool, clock }: Services, results: readonly PushResult[]): Promise<void> {
  await pool.query({ ...SAVE_RESULTS, values: [JSON.stringify(results), clock.now().toISOString()] });
}

/** Returns the milliseconds until the next row can be leased, negative if that time has passed; null if no row is waiting. */
export async function msUntilNextLease({ db, now }: OperationContext): Promise<number | null> {
  const { rows } = await sql<{ ms: string | null }>`
    select min(greatest(extract(epoch from due_at - ${now.toISOString()}::timestamptz),
      extract(epoch from leased_until - now()))) * 1000 as ms
    from push_outbox where state = 'waiting'`.execute(db);
  const { ms } = rows[0]!;
  return ms === null ? null : Number(ms);
}

/** Returns for how many seconds the oldest due row has been waiting; 0 if no row is due. */
export async function outboxLagSeconds({ pool, clock }: Pick<Services, 'pool' | 'clock'>): Promise<number> {
  const { rows } = await pool.query<{ due_at: string | null }>(
    `select min(due_at) as due_at from push_outbox
    where state = 'waiting' and (leased_until is null or leased_until <= now())`,
  );
  const due = rows[0]!.due_at;
  return due === null ? 0 : Math.max(0, (clock.now().getTime() - Date.parse(due)) / 1000);
}

/** Sent and dropped rows are kept for a week, so that an operator can find out why a phone got no push. */
export const outboxRetention = retentionOfTable({
  kind: 'push_outbox',
  keptMs: 7 * DAY_MS,
  since: 'since it was sent or given up',
  table: 'push_outbox',
  at: 'ended_at',
  where: 'ended_at is not null',
});
