import type { DeviceApp } from '@firmdesk/contract';
import { sql } from 'kysely';
import { DAY_MS } from '../platform/clock.ts';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { retentionOfTable } from '../platform/retention.ts';
import type { Services } from '../platform/services.ts';

export type PushType = 'mail.message' | 'calendar.reminder' | 'admin.notification' | 'test';

/** Which occurrence a reminder is of; moments as ISO 8601. */
export interface ReminderRef {
  event_id: number;
  minutes_before: number;
  /** The recurrence id in a series; null for an event that does not repeat. */
  occurrence_start: string | null;
  starts_at: string;
}

/** A row that a sender has taken. */
export interface LeasedPush {
  /** The provider's `apns-id`, and its `apns-collapse-id` where the type has none of its own. */
  id: string;
  token_id: string;
  app: DeviceApp;
  type: PushType;
  /** The id of the message or the notification. */
  subject: string;
  reminder: ReminderRef | null;
  attempts: number;
  expires_at: string;
}

export type FinalState = 'sent' | 'refused' | 'dropped' | 'unsent';

/** What a try came to: an end, or the moment of the next try. */
export interface PushResult {
  id: string;
  /** The attempt that it is the result of: the result of one that was given up counts nothing. */
  attempts: number;
  state: FinalState | 'waiting';
  reason: string | null;
  due_at: string | null;
}

/**
 * How long rows belong to the sender that has taken them, by the database's clock: then another may take them. A batch ends
 * well within it.
 */
export const LEASE_MS = 20_000;

const LEASE_DUE = {
  name: 'push-take-due',
  text: `
    update push_outbox set leased_until = now() + $2 * interval '1 millisecond', attempts = attempts + 1
    where id = any(array(
      select id from push_outbox
      where state = 'waiting' and due_at <= $1 and (leased_until is null or leased_until <= now())
      order by due_at limit $3 for update skip locked))
    returning id, token_id, app, type, subject, reminder, attempts, expires_at`,
};

/** Takes rows that are due, first come first: none of them is another's until the lease ends. */
export async function leaseDue({ pool, clock }: Services, limit: number): Promise<LeasedPush[]> {
  const values = [clock.now().toISOString(), LEASE_MS, limit];
  return (await pool.query<LeasedPush>({ ...LEASE_DUE, values })).rows;
}

const RECORD = {
  name: 'push-record',
  text: `
    update push_outbox o set state = r.state, reason = r.reason, due_at = coalesce(r.due_at, o.due_at),
      leased_until = null, ended_at = case when r.state = 'waiting' then null else $2::timestamptz end
    from jsonb_to_recordset($1::jsonb)
      as r (id uuid, attempts integer, state text, reason text, due_at timestamptz)
    where o.id = r.id and o.attempts = r.attempts and o.state = 'waiting'`,
};

/** Writes down what became of rows that were taken. */
export async function saveResults({ pool, clock }: Services, results: readonly PushResult[]): Promise<void> {
  await pool.query({ ...RECORD, values: [JSON.stringify(results), clock.now().toISOString()] });
}

/** In how many milliseconds the next row may be taken; negative when that is past, null when nothing waits. */
export async function msUntilNextLease({ em, now }: OperationContext): Promise<number | null> {
  const { rows } = await sql<{ ms: string | null }>`
    select min(greatest(extract(epoch from due_at - ${now.toISOString()}::timestamptz),
      extract(epoch from leased_until - now()))) * 1000 as ms
    from push_outbox where state = 'waiting'`.execute(sqlOf(em));
  const { ms } = rows[0]!;
  return ms === null ? null : Number(ms);
}

/** For how many seconds the notification that is due longest has been waiting; 0 when none is late. */
export async function outboxLagSeconds({ pool, clock }: Pick<Services, 'pool' | 'clock'>): Promise<number> {
  const { rows } = await pool.query<{ due_at: string | null }>(
    `select min(due_at) as due_at from push_outbox
    where state = 'waiting' and (leased_until is null or leased_until <= now())`,
  );
  const due = rows[0]!.due_at;
  return due === null ? 0 : Math.max(0, (clock.now().getTime() - Date.parse(due)) / 1000);
}

/** What became of a notification, for whoever asks why a phone was silent. */
export const outboxRetention = retentionOfTable({
  kind: 'push_outbox',
  keptMs: 7 * DAY_MS,
  since: 'since it was sent or given up',
  table: 'push_outbox',
  at: 'ended_at',
  where: 'ended_at is not null',
});
