import { sql } from 'kysely';
import type { OperationContext } from '../../platform/database/context.ts';
import { Calendar, Event } from '../calendar.entity.ts';
import { calendarCapacity } from '../calendars/calendar-capacity.ts';
import type { EventRow, EventRows } from '../events/event-rows.ts';
import { insertPrepared } from '../events/insert-events.ts';
import { loadEvent } from '../events/load-event.ts';
import type { StoredEvent } from '../events/new-event.ts';
import { prepareEvent } from '../events/prepare-event.ts';
import { replaceRows } from '../events/replace-event.ts';
import type { IcsEvent } from '../ics/event.ts';
import { refusalOf } from '../ics/parse-ics.ts';
import { type PreparedSeries, withCalendarId } from '../ics/prepare-document.ts';
import { runTask } from '../tasks/run-task.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { applyReply } from './apply-replies.ts';
import {
  type EndedInvitation,
  findEnded,
  forgetEnded,
  recordEnded,
  recordEndedEvent,
} from './ended-invitations.ts';
import { type InvitationSender, type Invitee, mayChange, normalAddress } from './invitation-sender.ts';
import { compareVersions, type InvitationVersion, isSameVersion } from './invitation-version.ts';
import type { ReadInvitation } from './read-invitations.ts';

/** What a part of the mail changed. A part that changed nothing has none. */
export interface InvitationOutcome {
  /** The index of the part that `readInvitations` got. */
  part: number;
  eventId: number;
  outcome: 'added' | 'changed' | 'cancelled' | 'answered';
}

/**
 * Applies the invitations of a mail, as read by `readInvitations`. A REQUEST creates a pending event in the recipient's first
 * calendar, or updates the event with its UID; a CANCEL deletes it; a REPLY is the answer of an attendee. A message that is older than the version that the calendar has or
 * had is ignored, and so is one from somebody who may not change the event. Invalid invitations never fail the delivery of the mail.
 */
export async function applyInvitations(
  ctx: OperationContext,
  invitee: Invitee,
  sender: InvitationSender,
  invitations: readonly ReadInvitation[],
): Promise<InvitationOutcome[]> {
  const isEmpty = invitations.every(({ series, replies }) => series.length === 0 && replies.length === 0);
  if (isEmpty || !(await lockRecipient(ctx, invitee))) return [];
  const outcomes: InvitationOutcome[] = [];
  for (const { part, series, isCancel, replies } of invitations) {
    for (const reply of replies) {
      const eventId = await applyReply(ctx, invitee, sender, reply);
      if (eventId !== null) outcomes.push({ part, eventId, outcome: 'answered' });
    }
    for (const entry of series) {
      const outcome = await applySeries({ ctx, invitee, sender }, entry, isCancel);
      if (outcome) outcomes.push({ part, ...outcome });
    }
  }
  return outcomes;
}

interface Delivery {
  ctx: OperationContext;
  invitee: Invitee;
  sender: InvitationSender;
}

type Outcome = Omit<InvitationOutcome, 'part'> | null;

async function applySeries(delivery: Delivery, series: PreparedSeries, isCancel: boolean): Promise<Outcome> {
  const { ctx, invitee, sender } = delivery;
  const { uid, organizer, master } = series;
  if (uid === null || !organizer) return null;
  const known = await findByUid(ctx, invitee, uid);
  if (!known && (isCancel || master?.cancelled)) await recordCancellation(delivery, series);
  if (!known) return isCancel ? null : addPending(delivery, series);
  const owner = { sender: known.sender, organizer: known.organizer?.email };
  if (known.source !== 'mail' || !mayChange(owner, sender)) return null;
  if (!master) return changeOccurrences(delivery, known, series, isCancel);
  const order = compareVersions(series, known);
  if (order < 0) return null;
  if (isCancel || master.cancelled) {
    await deleteStored(ctx, invitee, known.id!);
    await recordEndedEvent(ctx, invitee.workspaceId, known, series);
    return { eventId: known.id!, outcome: 'cancelled' };
  }
  const rows = rowsOf(known.calendar_id, series);
  // A copy of the version that is stored must not undo what the recipient has changed.
  if (!rows || isSameVersion(series, known)) return null;
  rows.event.sender_email = known.sender ?? normalAddress(sender.from);
  await replaceKeepingAnswer(ctx, invitee, known, rows);
  await restoreOccurrences(ctx, invitee, known.id!, known);
  return { eventId: known.id!, outcome: 'changed' };
}

/** Changes or cancels some occurrences of a stored event. */
async function changeOccurrences(
  { ctx, invitee }: Delivery,
  known: StoredEvent,
  { overrides }: PreparedSeries,
  isCancel: boolean,
): Promise<Outcome> {
  const current = overrides.filter((override) => compareVersions(override, known) >= 0);
  const rows =
    current.length > 0 ? await rowsOfChanged(ctx, invitee, 'withOverrides', known, current, isCancel) : null;
  if (!rows) return null;
  await replaceKeepingAnswer(ctx, invitee, known, rows);
  return { eventId: known.id!, outcome: isCancel ? 'cancelled' : 'changed' };
}

async function addPending({ ctx, invitee, sender }: Delivery, series: PreparedSeries): Promise<Outcome> {
  if (!series.event || 'refusal' in series.event) return null;
  const ended = await findEnded(ctx, invitee, series.uid!, [
    sender.from,
    sender.sender,
    series.organizer!.email,
  ]);
  const version = series.master ? series : latestOf(series.overrides);
  const isEnded = (one: EndedInvitation) =>
    one.occurrence === null && (compareVersions(version, one) <= 0 || !mayChange(one, sender));
  if (ended.some(isEnded)) return null;
  const calendarId = await firstCalendar(ctx, invitee);
  if ((await calendarCapacity(ctx, invitee.workspaceId, [calendarId])).remaining(calendarId) === 0) {
    ctx.services.log.warn({ calendar_id: calendarId }, 'skipped an invitation: the calendar is full');
    return null;
  }
  const rows = withCalendarId(calendarId, series.event.rows);
  rows.event.sender_email = normalAddress(sender.from) || normalAddress(sender.sender) || null;
  const [eventId] = await insertPrepared(ctx, invitee.workspaceId, [rows]);
  await cancelOccurrences(ctx, invitee, eventId!, ended);
  await forgetEnded(ctx, invitee, ended);
  return { eventId: eventId!, outcome: 'added' };
}

/** Records a cancellation that arrives before its invitation. It counts for invitations that its sender may change. */
async function recordCancellation({ ctx, invitee, sender }: Delivery, series: PreparedSeries): Promise<void> {
  const from = normalAddress(sender.from);
  if (sender.check === 'failed' || from === '') return;
  const { uid, sequence, stamp, master, overrides } = series;
  const cancelled = master
    ? [{ occurrence: null, sequence, stamp }]
    : overrides.map((one) => ({ occurrence: one.recurrenceId, sequence: one.sequence, stamp: one.stamp }));
  for (const one of cancelled) await recordEnded(ctx, invitee, { uid: uid!, sender: from, ...one });
}

/** Cancels the occurrences of a new event whose cancellations arrived before it. */
async function cancelOccurrences(
  ctx: OperationContext,
  invitee: Invitee,
  id: number,
  ended: readonly EndedInvitation[],
): Promise<void> {
  const changes = ended.flatMap(({ occurrence, sequence = 0, stamp = null }) =>
    occurrence ? { ...CANCELLED, recurrenceId: occurrence, sequence, stamp } : [],
  );
  if (changes.length === 0) return;
  const stored = await loadEvent(ctx, invitee.workspaceId, id);
  const current = changes.filter((change) => compareVersions(change, stored) >= 0);
  const rows = await rowsOfChanged(ctx, invitee, 'withOverrides', stored, current, true);
  if (rows) await replaceRows(ctx, invitee.workspaceId, id, rows);
}

/** Restores the changes of occurrences that are newer than a version of the series that has replaced them. */
async function restoreOccurrences(
  ctx: OperationContext,
  invitee: Invitee,
  id: number,
  before: StoredEvent,
): Promise<void> {
  if (before.overrides.length === 0) return;
  const stored = await loadEvent(ctx, invitee.workspaceId, id);
  const rows = await rowsOfChanged(ctx, invitee, 'withNewerOverrides', stored, before);
  if (rows) await replaceRows(ctx, invitee.workspaceId, id, rows);
}

const CANCELLED = {
  line: 0,
  cancelled: true,
  start: null,
  end: null,
  title: null,
  description: null,
  location: null,
  organizer: null,
  attendees: [],
  conference: null,
  notes: [],
};

function latestOf(overrides: readonly IcsEvent[]): InvitationVersion {
  return overrides.reduce((latest, one) => (compareVersions(one, latest) > 0 ? one : latest));
}

async function replaceKeepingAnswer(
  ctx: OperationContext,
  { workspaceId }: Invitee,
  known: StoredEvent,
  rows: EventRows,
): Promise<void> {
  // The recipient has to answer again only if the times changed.
  if (isSameTime(known, rows.event)) rows.event.status = known.status ?? rows.event.status;
  await replaceRows(ctx, workspaceId, known.id!, rows);
}

async function deleteStored({ em }: OperationContext, { workspaceId }: Invitee, id: number): Promise<void> {
  await em.nativeDelete(Event, { workspaceId, id });
}

function rowsOf(calendarId: number, { event }: PreparedSeries): EventRows | null {
  return event && 'rows' in event ? withCalendarId(calendarId, event.rows) : null;
}

/** Returns the rows of an event that a task has changed, or null if it changed nothing or the event cannot be stored. */
async function rowsOfChanged<Name extends 'withOverrides' | 'withNewerOverrides'>(
  ctx: OperationContext,
  { userId }: Invitee,
  task: Name,
  ...args: Parameters<Tasks[Name]>
): Promise<EventRows | null> {
  try {
    const changed = await runTask(userId, task, ...args);
    return changed && (await prepareEvent(userId, changed));
  } catch (error) {
    const { reason } = refusalOf({ line: 0, uid: null }, error);
    ctx.services.log.warn({ event_id: args[0].id, reason }, 'skipped parts of an invitation');
    return null;
  }
}

function isSameTime(known: StoredEvent, event: EventRow): boolean {
  return (
    known.starts_at === event.local_start &&
    known.ends_at === event.local_end &&
    known.timezone === event.timezone &&
    known.recurrence_rule === event.recurrence_rule
  );
}

/** Locks the recipient, so that concurrent invitations with one UID create one event. Returns false if the account is deleted. */
async function lockRecipient({ db }: OperationContext, { userId }: Invitee): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`invitations ${userId}`}, 0))`.execute(db);
  const { rows } = await sql`
    select from users where id = ${userId} and deleted_at is null`.execute(db);
  return rows.length > 0;
}

async function findByUid(
  ctx: OperationContext,
  { userId, workspaceId }: Invitee,
  uid: string,
): Promise<StoredEvent | null> {
  const found = await ctx.db
    .selectFrom('events')
    .innerJoin('calendars', (join) =>
      join
        .onRef('calendars.workspace_id', '=', 'events.workspace_id')
        .onRef('calendars.id', '=', 'events.calendar_id'),
    )
    .select('events.id')
    .where('calendars.owner_id', '=', userId)
    .where('events.workspace_id', '=', workspaceId)
    .where('calendars.workspace_id', '=', workspaceId)
    .where('events.uid', '=', uid)
    .orderBy('events.id')
    .executeTakeFirst();
  return found ? loadEvent(ctx, workspaceId, found.id) : null;
}

/** Returns the oldest calendar that the recipient owns. Creates one if there is none. */
async function firstCalendar(
  { em, db, now }: OperationContext,
  { userId, workspaceId }: Invitee,
): Promise<number> {
  const first = await db
    .selectFrom('calendars')
    .select('id')
    .where('owner_id', '=', userId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .executeTakeFirst();
  if (first) return first.id;
  const calendar = em.create(Calendar, { workspaceId, ownerId: userId, name: 'Calendar', createdAt: now });
  await em.flush();
  return calendar.id;
}
