import { sql } from 'kysely';
import type { OperationContext } from '../platform/context.ts';
import { sqlOf } from '../platform/database.ts';
import { deferred } from '../platform/prepared.ts';
import { calendarCapacity } from './calendar-capacity.ts';
import type { EventRow, EventRows } from './event-rows.ts';
import { refusalOf } from './ics/parse-ics.ts';
import { type PreparedSeries, withCalendarId } from './ics/prepare-document.ts';
import { insertPrepared } from './insert-events.ts';
import { loadEvent } from './load-event.ts';
import type { StoredEvent } from './new-event.ts';
import { prepareEvent } from './prepare-event.ts';
import type { ReadInvitation } from './read-invitations.ts';
import { replaceRows } from './replace-event.ts';
import { runTask } from './tasks/run-task.ts';

/** The recipient of a mail with invitations. */
export interface Invitee {
  userId: string;
  workspaceId: number;
}

/** Who sent a mail with invitations. */
export interface InvitationSender {
  /** The address of the `From` header; empty if it has none. */
  from: string;
  /** The address of the `Sender` header. */
  sender: string | null;
  /**
   * What is known about `from`: false if its domain disowns the message (DMARC), true if it confirms it. Without it, the headers count as
   * they are.
   */
  authenticated?: boolean;
}

/** What a part of the mail changed. A part that changed nothing has none. */
export interface InvitationOutcome {
  /** The index of the part that `readInvitations` got. */
  part: number;
  eventId: number;
  outcome: 'added' | 'changed' | 'cancelled';
}

/**
 * Applies the invitations of a mail, as read by `readInvitations`. A REQUEST creates a pending event in the recipient's first
 * calendar, or updates the event with its UID; a CANCEL deletes it. Invitations that are older than the stored event, or come
 * from somebody who may not change it, are ignored. Invalid invitations never fail the delivery of the mail.
 */
export async function applyInvitations(
  ctx: OperationContext,
  invitee: Invitee,
  sender: InvitationSender,
  invitations: readonly ReadInvitation[],
): Promise<InvitationOutcome[]> {
  if (!invitations.some(({ series }) => series.length > 0) || !(await lockRecipient(ctx, invitee))) return [];
  const outcomes: InvitationOutcome[] = [];
  for (const { part, series, isCancel } of invitations) {
    for (const entry of series) {
      const outcome = await applySeries(ctx, invitee, sender, entry, isCancel);
      if (outcome) outcomes.push({ part, ...outcome });
    }
  }
  return outcomes;
}

async function applySeries(
  ctx: OperationContext,
  invitee: Invitee,
  sender: InvitationSender,
  series: PreparedSeries,
  isCancel: boolean,
): Promise<Omit<InvitationOutcome, 'part'> | null> {
  const { uid, organizer, sequence, master } = series;
  if (uid === null || !organizer) return null;
  const known = await findByUid(ctx, invitee, uid);
  if (!known) return isCancel ? null : addPending(ctx, invitee, series);
  if (known.source !== 'mail' || !mayChange(known, sender) || sequence < (known.sequence ?? 0)) return null;
  const id = known.id!;
  if (master && (isCancel || master.cancelled)) {
    await sqlOf(ctx.em)
      .deleteFrom('events')
      .where('workspace_id', '=', invitee.workspaceId)
      .where('id', '=', id)
      .execute();
    return { eventId: id, outcome: 'cancelled' };
  }
  const rows = master
    ? rowsOf(known.calendar_id, series)
    : await rowsWithOverrides(ctx, invitee, known, series, isCancel);
  if (!rows) return null;
  // The recipient has to answer again only if the times changed.
  if (isSameTime(known, rows.event)) rows.event.status = known.status ?? rows.event.status;
  await replaceRows(ctx, invitee.workspaceId, id, rows);
  return { eventId: id, outcome: isCancel ? 'cancelled' : 'changed' };
}

async function addPending(
  ctx: OperationContext,
  invitee: Invitee,
  series: PreparedSeries,
): Promise<Omit<InvitationOutcome, 'part'> | null> {
  if (!series.event || 'refusal' in series.event) return null;
  const calendarId = await firstCalendar(ctx, invitee);
  if ((await calendarCapacity(ctx, invitee.workspaceId, [calendarId])).remaining(calendarId) === 0) {
    ctx.services.log.warn({ calendar_id: calendarId }, 'skipped an invitation: the calendar is full');
    return null;
  }
  const [eventId] = await insertPrepared(ctx, invitee.workspaceId, [
    withCalendarId(calendarId, series.event.rows),
  ]);
  return { eventId: eventId!, outcome: 'added' };
}

/** Returns whether the sender of a mail may change an event: the organizer may. */
function mayChange({ organizer }: StoredEvent, { from, sender, authenticated }: InvitationSender): boolean {
  if (authenticated === false || !organizer) return false;
  // A confirmed `From` says nothing about `Sender`.
  const senders = [from, authenticated ? null : sender];
  return senders.some((address) => address?.toLowerCase() === organizer.email.toLowerCase());
}

function rowsOf(calendarId: number, { event }: PreparedSeries): EventRows | null {
  return event && 'rows' in event ? withCalendarId(calendarId, event.rows) : null;
}

/** Returns the rows of an event with some occurrences changed or cancelled, or null if they are older than the stored ones or cannot be stored. */
async function rowsWithOverrides(
  ctx: OperationContext,
  invitee: Invitee,
  known: StoredEvent,
  { overrides }: PreparedSeries,
  isCancel: boolean,
): Promise<EventRows | null> {
  try {
    const changed = await runTask(invitee.userId, 'withOverrides', known, overrides, isCancel);
    return changed && (await prepareEvent(invitee.userId, changed));
  } catch (error) {
    const { reason } = refusalOf({ line: 0, uid: null }, error);
    ctx.services.log.warn({ event_id: known.id, reason }, 'skipped parts of an invitation');
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
async function lockRecipient({ em }: OperationContext, { userId }: Invitee): Promise<boolean> {
  await sql`${deferred} select pg_advisory_xact_lock(hashtextextended(${`invitations ${userId}`}, 0))`.execute(
    sqlOf(em),
  );
  const { rows } = await sql`
    select from users where id = ${userId} and deleted_at is null`.execute(sqlOf(em));
  return rows.length > 0;
}

async function findByUid(
  ctx: OperationContext,
  { userId, workspaceId }: Invitee,
  uid: string,
): Promise<StoredEvent | null> {
  const found = await sqlOf(ctx.em)
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
  { em, now }: OperationContext,
  { userId, workspaceId }: Invitee,
): Promise<number> {
  const first = await sqlOf(em)
    .selectFrom('calendars')
    .select('id')
    .where('owner_id', '=', userId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .executeTakeFirst();
  if (first) return first.id;
  const { id } = await sqlOf(em)
    .insertInto('calendars')
    .values({ workspace_id: workspaceId, owner_id: userId, name: 'Calendar', created_at: now.toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
