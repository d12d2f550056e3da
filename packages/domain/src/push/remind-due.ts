import { RecurrenceError } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import { type EventTimes, isRecurring, type OverrideColumns } from '../calendar/series.ts';
import { compute } from '../calendar/work/compute.ts';
import { MINUTE_MS } from '../kernel/clock.ts';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { LoopShare } from '../kernel/loop-share.ts';
import type { Services } from '../kernel/services.ts';
import { withTransaction } from '../kernel/transaction.ts';
import { type DueReminder, pushReminders } from './enqueue.ts';

/** Reminders of one transaction. */
const BATCH = 200;
/** A reminder may come so long after its moment, even if the event has started: one of "0 minutes before" always does. */
const GRACE_MS = 2 * MINUTE_MS;

interface Due extends EventTimes {
  event_id: number;
  user_id: string;
  workspace_id: number;
  minutes_before: number;
  channel: string;
  due_at: string;
  overrides: OverrideColumns[] | null;
}

/**
 * Puts the reminders that are due into the outbox, and moves each on to its next appearance in the same transaction: so
 * each appearance is reminded of once, over restarts and several workers. One that comes too late is passed over.
 */
export async function remindDue(services: Services): Promise<void> {
  while ((await withTransaction(services, remindSome)) === BATCH);
}

async function remindSome(ctx: VerbContext): Promise<number> {
  const due = await takeDue(ctx);
  const reminders: DueReminder[] = [];
  const moved: object[] = [];
  const share = new LoopShare();
  for (const row of due) {
    await share.pause();
    const { event_id, user_id, minutes_before, channel } = row;
    let next: number | null = null;
    try {
      const reminder = { minutesBefore: minutes_before, due: Date.parse(row.due_at) };
      const passed = await compute('passDue', row, row.overrides, reminder, ctx.now.getTime());
      if (channel === 'push') reminders.push(...remindersOf(row, passed.occurrences, ctx.now));
      next = passed.next;
    } catch (error) {
      // One event that cannot be expanded must not hold the others up.
      if (!(error instanceof RecurrenceError)) throw error;
      ctx.services.log.error({ event_id, err: error }, 'event cannot be expanded: no more reminders of it');
    }
    const due_at = next === null ? null : new Date(next).toISOString();
    moved.push({ event_id, user_id, minutes_before, channel, due_at, done_until: row.due_at });
  }
  if (reminders.length > 0) await pushReminders(ctx, reminders);
  if (moved.length > 0) await moveOn(ctx, moved);
  return due.length;
}

async function takeDue({ em, now }: VerbContext): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select r.event_id, r.user_id, r.minutes_before, r.channel, r.due_at, c.workspace_id, e.local_start, e.local_end,
      e.all_day, e.timezone, e.recurrence_rule, e.added_dates, e.removed_dates,
      (select json_agg(o) from event_overrides o where o.event_id = e.id) as overrides
    from event_reminders r
    join events e on e.id = r.event_id
    join calendars c on c.id = e.calendar_id
    where r.due_at <= ${now.toISOString()}
    order by r.due_at
    limit ${BATCH}
    for update of r skip locked`.execute(sqlOf(em));
  return rows;
}

/** What to remind of: the occurrences that the reminder is due for, unless it comes too late for them. */
function remindersOf(row: Due, occurrences: readonly number[], now: Date): DueReminder[] {
  const { event_id, user_id, workspace_id, minutes_before } = row;
  const due = Date.parse(row.due_at);
  const start = due + minutes_before * MINUTE_MS;
  const expires = Math.max(start, due + GRACE_MS);
  if (expires <= now.getTime()) return [];
  const repeats = isRecurring(row);
  return occurrences.map((occurrence) => ({
    user_id,
    workspace_id,
    reminder: {
      event_id,
      minutes_before,
      occurrence_start: repeats ? new Date(occurrence).toISOString() : null,
      starts_at: new Date(start).toISOString(),
    },
    expires_at: new Date(expires).toISOString(),
  }));
}

async function moveOn({ em }: VerbContext, moved: readonly object[]): Promise<void> {
  await sql`
    update event_reminders r set due_at = m.due_at, done_until = greatest(r.done_until, m.done_until)
    from jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
      as m (event_id integer, user_id text, minutes_before integer, channel text, due_at timestamptz, done_until timestamptz)
    where r.event_id = m.event_id and r.user_id = m.user_id and r.minutes_before = m.minutes_before
      and r.channel = m.channel`.execute(sqlOf(em));
}
