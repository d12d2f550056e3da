import { reminderChannels } from '@firmdesk/contract';
import { RecurrenceError } from '@firmdesk/recurrence';
import { sql } from 'kysely';
import {
  type DueReminders,
  type EventTimes,
  isRecurring,
  loadOverrides,
  mailRemindersJob,
  runTask,
  taskQueueOf,
} from '../../calendar/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { withTransaction } from '../../platform/database/transaction.ts';
import { allFirms } from '../../platform/distribution/all-firms.ts';
import { enqueue } from '../../platform/jobs/jobs.ts';
import { MINUTE_MS } from '../../platform/process/clock.ts';
import { LoopYielder } from '../../platform/process/loop-yielder.ts';
import type { Services } from '../../platform/services.ts';
import type { ReminderResult } from '../push-metrics.ts';
import { queueReminderPushesJob } from '../queue-pushes.ts';
import { recordUnsent, type UnsentReminder } from './unsent-reminders.ts';

/** The number of due reminders that are read at once. */
const BATCH = 200;
/** A transaction stops after this time, because PostgreSQL ends transactions that are idle for too long. */
const MAX_WORK_MS = 5_000;
/** A reminder may be this late even if the event has started. A reminder of 0 minutes before is always a little late. */
const GRACE_MS = 2 * MINUTE_MS;

/** A due row of `event_reminders`, with its event. */
interface ReminderRow extends EventTimes {
  event_id: number;
  user_id: string;
  workspace_id: number;
  minutes_before: number;
  channel: string;
  due_at: string;
  has_overrides: boolean;
}

/** The key of a row of `event_reminders`. */
interface ReminderKey {
  workspace_id: number;
  event_id: number;
  user_id: string;
  minutes_before: number;
  channel: string;
}

/**
 * Enqueues the pushes and the mails of due reminders, and schedules each reminder for its next occurrence in the same transaction, so that it is
 * queued once per occurrence across restarts and workers. A reminder that cannot be sent or is too late is recorded with the reason.
 * Each transaction handles one firm; a firm that fails does not delay the others.
 */
export async function queueDueReminders(services: Services): Promise<void> {
  const failures = new Map<number, unknown>();
  for (let hasMore = true; hasMore; ) {
    const failedBefore = failures.size;
    const keys = await findDueReminders(services, [...failures.keys()]);
    let handled = 0;
    for (const [workspaceId, ofFirm] of Map.groupBy(keys, ({ workspace_id }) => workspace_id)) {
      try {
        const batch = await withTransaction(services, (ctx) => queueDueBatch(ctx, workspaceId, ofFirm));
        report(services, batch.queued, batch.unsent);
        handled += batch.handled;
      } catch (error) {
        failures.set(workspaceId, error);
        services.log.error({ workspace: workspaceId, err: error }, 'reminders cannot be queued');
      }
    }
    // If nothing was handled and no other firm failed, other workers have locked the rest.
    const progressed = handled > 0 || failures.size > failedBefore;
    hasMore = progressed && (keys.length >= BATCH || handled < keys.length);
  }
  for (const error of failures.values()) throw error;
}

/** Returns the next due reminders, of all firms but those that failed. */
async function findDueReminders(
  { firmServers, clock }: Services,
  failed: readonly number[],
): Promise<ReminderKey[]> {
  return firmServers.readAll<ReminderKey>({
    text: (isAmong) => `${allFirms('due-reminders')}
     select workspace_id, event_id, user_id, minutes_before, channel from event_reminders
     where due_at <= $1 and ${isAmong('workspace_id')} and workspace_id <> all($3::int[]) order by due_at limit $2`,
    values: [clock.now().toISOString(), BATCH, failed],
  });
}

/** Counts and logs the results, after the commit. */
function report(
  { log, pushMetrics }: Services,
  queued: Readonly<Record<Channel, number>>,
  unsent: readonly UnsentReminder[],
): void {
  for (const channel of reminderChannels)
    if (queued[channel] > 0) pushMetrics.onReminders({ channel, result: 'queued' }, queued[channel]);
  for (const [result, reminders] of Map.groupBy(unsent, ({ reason }) => reason)) {
    for (const [channel, { length }] of Map.groupBy(reminders, channelLabel)) {
      pushMetrics.onReminders({ channel, result }, length);
      log.warn({ channel, reason: result, reminders: length }, 'due reminders are not sent');
    }
  }
}

/** Returns the metric label of a channel. Imported data may contain channels that the contract does not have. */
function channelLabel({ channel }: { channel: string }): ReminderResult['channel'] {
  return isChannel(channel) ? channel : 'other';
}

type Channel = (typeof reminderChannels)[number];
const isChannel = (channel: string): channel is Channel =>
  (reminderChannels as readonly string[]).includes(channel);

/** The jobs that send the due reminders of a channel. */
const jobs = { push: queueReminderPushesJob, email: mailRemindersJob };

interface BatchResult {
  /** How many of the rows were scheduled anew. */
  handled: number;
  /** The number of reminders that were enqueued. */
  queued: Record<Channel, number>;
  unsent: UnsentReminder[];
}

async function queueDueBatch(
  ctx: OperationContext,
  workspaceId: number,
  keys: readonly ReminderKey[],
): Promise<BatchResult> {
  const due = await lockDueReminders(ctx, workspaceId, keys);
  const reminders: Record<Channel, DueReminders['due']> = { push: [], email: [] };
  const unsent: UnsentReminder[] = [];
  const advanced: object[] = [];
  // Reminders that several accounts set for the same time of an event are expanded once.
  const advances = new Map<string, Promise<Advance>>();
  const yielder = new LoopYielder();
  const stopAt = performance.now() + MAX_WORK_MS;
  for (const row of due) {
    if (performance.now() > stopAt) break;
    await yielder.yieldIfDue();
    const { event_id, user_id, minutes_before, channel } = row;
    const starts_at = new Date(Date.parse(row.due_at) + minutes_before * MINUTE_MS).toISOString();
    let next: number | null = null;
    try {
      const key = `${event_id} ${minutes_before} ${row.due_at}`;
      const advance = advances.get(key) ?? advanceReminder(ctx, row);
      advances.set(key, advance);
      const { occurrences, next: nextDue } = await advance;
      for (const reminder of dueRemindersOf(row, occurrences)) {
        const isLate = Date.parse(reminder.expires_at) <= ctx.now.getTime();
        if (isChannel(channel) && !isLate) reminders[channel].push(reminder);
        else {
          const reason = isChannel(channel) ? 'too_late' : 'unknown_channel';
          unsent.push({ event_id, user_id, minutes_before, channel, starts_at, reason });
        }
      }
      next = nextDue;
    } catch (error) {
      // One event that cannot be expanded must not delay the others.
      if (!(error instanceof RecurrenceError)) throw error;
      ctx.services.log.error({ event_id, err: error }, 'event cannot be expanded: its reminders end');
      unsent.push({ event_id, user_id, minutes_before, channel, starts_at, reason: 'invalid_event' });
    }
    const due_at = next === null ? null : new Date(next).toISOString();
    advanced.push({ event_id, user_id, minutes_before, channel, due_at, done_until: row.due_at });
  }
  for (const channel of reminderChannels) {
    const ofChannel = reminders[channel];
    if (ofChannel.length > 0) await enqueue(ctx, jobs[channel], { workspace: workspaceId, due: ofChannel });
  }
  await recordUnsent(ctx, workspaceId, unsent);
  if (advanced.length > 0) await saveNextDue(ctx, workspaceId, advanced);
  const queued = { push: reminders.push.length, email: reminders.email.length };
  return { handled: advanced.length, queued, unsent };
}

type Advance = Awaited<ReturnType<typeof runTask<'advanceReminder'>>>;

async function advanceReminder(ctx: OperationContext, row: ReminderRow): Promise<Advance> {
  const { db, now } = ctx;
  const overrides = row.has_overrides ? await loadOverrides(db, row.workspace_id, row.event_id) : null;
  const reminder = { minutesBefore: row.minutes_before, due: Date.parse(row.due_at) };
  return runTask(taskQueueOf(ctx), 'advanceReminder', row, overrides, reminder, now.getTime());
}

/** Locks and returns the rows that are still due. Rows that another worker has locked are skipped. */
async function lockDueReminders(
  { db, now }: OperationContext,
  workspaceId: number,
  keys: readonly ReminderKey[],
): Promise<ReminderRow[]> {
  const { rows } = await sql<ReminderRow>`
    select r.event_id, r.user_id, r.minutes_before, r.channel, r.due_at, r.workspace_id, e.local_start, e.local_end,
      e.all_day, e.timezone, e.recurrence_rule, e.added_dates, e.removed_dates,
      exists (
        select from event_overrides o where o.workspace_id = ${workspaceId} and o.event_id = e.id) as has_overrides
    from event_reminders r
    join events e on e.workspace_id = r.workspace_id and e.id = r.event_id
    where r.workspace_id = ${workspaceId} and r.due_at <= ${now.toISOString()}
      and (r.event_id, r.user_id, r.minutes_before, r.channel) in (
        select k.event_id, k.user_id, k.minutes_before, k.channel
        from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
          as k (event_id bigint, user_id text, minutes_before integer, channel text))
    order by r.due_at
    for update of r skip locked`.execute(db);
  return rows;
}

/** Returns one reminder for each occurrence that the row is due for. */
function dueRemindersOf(row: ReminderRow, occurrences: readonly number[]): DueReminders['due'] {
  const { event_id, user_id, minutes_before } = row;
  const due = Date.parse(row.due_at);
  const start = due + minutes_before * MINUTE_MS;
  const expires = Math.max(start, due + GRACE_MS);
  const repeats = isRecurring(row);
  return occurrences.map((occurrence) => ({
    user_id,
    reminder: {
      event_id,
      minutes_before,
      occurrence_start: repeats ? new Date(occurrence).toISOString() : null,
      starts_at: new Date(start).toISOString(),
    },
    expires_at: new Date(expires).toISOString(),
  }));
}

/** Stores when each reminder is due next. */
async function saveNextDue(
  { db }: OperationContext,
  workspaceId: number,
  advanced: readonly object[],
): Promise<void> {
  await sql`
    update event_reminders r set due_at = m.due_at, done_until = greatest(r.done_until, m.done_until)
    from jsonb_to_recordset(${JSON.stringify(advanced)}::jsonb)
      as m (event_id bigint, user_id text, minutes_before integer, channel text, due_at timestamptz, done_until timestamptz)
    where r.workspace_id = ${workspaceId} and r.event_id = m.event_id and r.user_id = m.user_id and r.minutes_before = m.minutes_before
      and r.channel = m.channel`.execute(db);
}
