import type { DeviceApp } from '@firmdesk/contract';
import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../kernel/clock.ts';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { retentionOfTable } from '../kernel/retention.ts';
import type { Services } from '../kernel/services.ts';

export type PushType = 'mail.message' | 'calendar.reminder' | 'admin.notification' | 'test';

/** Which appearance a reminder is of; moments as ISO 8601. */
export interface ReminderOf {
  event_id: number;
  minutes_before: number;
  /** The slot of a series; null for an event that does not repeat. */
  occurrence_start: string | null;
  starts_at: string;
}

/** A row that a sender has taken. */
export interface TakenPush {
  /** The provider's `apns-id`, and its `apns-collapse-id` where the type has none of its own. */
  id: string;
  token_id: string;
  app: DeviceApp;
  type: PushType;
  /** The id of the message or the notice. */
  subject: string;
  reminder: ReminderOf | null;
  attempts: number;
  expires_at: string;
}

export type EndState = 'sent' | 'refused' | 'dropped' | 'unsent';

/** What a try came to: an end, or the moment of the next try. */
export interface PushResult {
  id: string;
  /** The attempt that it is the result of: the result of one that was given up counts nothing. */
  attempts: number;
  state: EndState | 'waiting';
  reason: string | null;
  due_at: string | null;
}

/** How long a sender that has taken rows may be silent, before another takes them. A batch ends well within it. */
const LEASE_MS = MINUTE_MS;

const TAKE_DUE = {
  name: 'push-take-due',
  text: `
    update push_outbox set due_at = $2, attempts = attempts + 1
    where id = any(array(
      select id from push_outbox where state = 'waiting' and due_at <= $1
      order by due_at limit $3 for update skip locked))
    returning id, token_id, app, type, subject, reminder, attempts, expires_at`,
};

/** Takes rows that are due, first come first: none of them is another's until the lease ends. */
export async function takeDue({ pool, clock }: Services, limit: number): Promise<TakenPush[]> {
  const now = clock.now();
  const lease = new Date(now.getTime() + LEASE_MS);
  const values = [now.toISOString(), lease.toISOString(), limit];
  return (await pool.query<TakenPush>({ ...TAKE_DUE, values })).rows;
}

const RECORD = {
  name: 'push-record',
  text: `
    update push_outbox o set state = r.state, reason = r.reason, due_at = coalesce(r.due_at, o.due_at),
      ended_at = case when r.state = 'waiting' then null else $2::timestamptz end
    from jsonb_to_recordset($1::jsonb)
      as r (id uuid, attempts integer, state text, reason text, due_at timestamptz)
    where o.id = r.id and o.attempts = r.attempts and o.state = 'waiting'`,
};

/** Writes down what became of rows that were taken. */
export async function record({ pool, clock }: Services, results: readonly PushResult[]): Promise<void> {
  await pool.query({ ...RECORD, values: [JSON.stringify(results), clock.now().toISOString()] });
}

/** When the next row is due; null when nothing waits. */
export async function nextDueAt({ em }: VerbContext): Promise<Date | null> {
  const { rows } = await sql<{ due_at: string | null }>`
    select min(due_at) as due_at from push_outbox where state = 'waiting'`.execute(sqlOf(em));
  const due = rows[0]!.due_at;
  return due === null ? null : new Date(due);
}

/** For how many seconds the notification that is due longest has been waiting; 0 when none is late. */
export async function pushOverdueSeconds({ pool, clock }: Services): Promise<number> {
  const { rows } = await pool.query<{ due_at: string | null }>(
    `select min(due_at) as due_at from push_outbox where state = 'waiting'`,
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
