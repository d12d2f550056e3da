import { sql } from 'kysely';
import type { VerbContext } from '../kernel/context.ts';
import { sqlOf } from '../kernel/database.ts';
import { Calendar } from './calendar.entity.ts';
import { type EventRow, eventRows } from './event-rows.ts';
import { attempt, readIcs } from './ics/read-ics.ts';
import { eventOf, type IcsSeries, withAppearances } from './ics/series.ts';
import { insertEvents } from './insert-events.ts';
import { readEvent, type StoredEvent } from './open-event.ts';
import { replaceEvent } from './replace-event.ts';

export interface Invitation {
  /** Whom the mail was sent to, and where. */
  userId: string;
  workspaceId: number;
  /** The `text/calendar` part; its METHOD says what is wanted (RFC 5546). */
  ics: string;
}

export interface InvitationOutcome {
  eventId: number;
  outcome: 'added' | 'changed' | 'cancelled';
}

/**
 * Does what an invitation by mail asks: a REQUEST becomes a pending event in the person's first calendar, or brings the one
 * of its UID up to date; a CANCEL takes it away. What is older than what the calendar holds, comes from another organizer,
 * or cannot be read changes nothing; other methods neither. Never refuses: the mail is delivered all the same.
 */
export async function applyInvitation(
  ctx: VerbContext,
  invitation: Invitation,
): Promise<InvitationOutcome[]> {
  const method = /^METHOD:\s*(REQUEST|CANCEL)\s*$/im.exec(invitation.ics)?.[1]?.toUpperCase();
  if (!method) return [];
  const person = await lockPerson(ctx, invitation);
  if (!person) return [];
  const outcomes: InvitationOutcome[] = [];
  for (const series of readIcs(invitation.ics, person.timezone).series) {
    const outcome = await apply(ctx, invitation, series, method === 'CANCEL');
    if (outcome) outcomes.push(outcome);
  }
  return outcomes;
}

async function apply(
  ctx: VerbContext,
  invitation: Invitation,
  series: IcsSeries,
  isCancel: boolean,
): Promise<InvitationOutcome | null> {
  const first = series.master ?? series.overrides[0]!;
  if (first.uid === null || !first.organizer) return null;
  const known = await findByUid(ctx, invitation, first.uid);
  if (known) {
    const isSame = known.organizer?.email.toLowerCase() === first.organizer.email.toLowerCase();
    if (known.source !== 'mail' || !isSame || first.sequence < (known.sequence ?? 0)) return null;
  }
  const isGone = series.master !== null && (isCancel || series.master.cancelled);
  if (isGone) {
    if (!known) return null;
    await sqlOf(ctx.em).deleteFrom('events').where('id', '=', known.id).execute();
    return { eventId: known.id!, outcome: 'cancelled' };
  }
  if (!known && isCancel) return null;
  const calendarId = known?.calendar_id ?? (await firstCalendar(ctx, invitation));
  const event = attempt({ line: 0, uid: null }, [], () => {
    const made =
      known && !series.master
        ? withAppearances(known, series.overrides, isCancel)
        : eventOf(series, { calendarId, source: 'mail', status: 'pending' }, []);
    const rows = eventRows(made);
    // Only new times need a new answer.
    if (known && isSameTime(eventRows(known).event, rows.event)) made.status = known.status;
    return made;
  });
  if (!event) return null;
  if (known) {
    await replaceEvent(ctx, known.id!, event);
    return { eventId: known.id!, outcome: isCancel ? 'cancelled' : 'changed' };
  }
  const [eventId] = await insertEvents(ctx, [event]);
  return { eventId: eventId!, outcome: 'added' };
}

function isSameTime(a: EventRow, b: EventRow): boolean {
  return (
    a.span_start === b.span_start &&
    a.local_end === b.local_end &&
    a.timezone === b.timezone &&
    a.recurrence_rule === b.recurrence_rule
  );
}

/** Invitations of one person take turns, so that of two with one UID the second finds the first. */
async function lockPerson(
  { em }: VerbContext,
  { userId }: Invitation,
): Promise<{ timezone: string } | undefined> {
  const { rows } = await sql<{ timezone: string }>`
    select timezone from users where id = ${userId} and deleted_at is null for no key update`.execute(
    sqlOf(em),
  );
  return rows[0];
}

async function findByUid(
  ctx: VerbContext,
  { userId, workspaceId }: Invitation,
  uid: string,
): Promise<StoredEvent | null> {
  const found = await sqlOf(ctx.em)
    .selectFrom('events')
    .innerJoin('calendars', 'calendars.id', 'events.calendar_id')
    .select('events.id')
    .where('calendars.owner_id', '=', userId)
    .where('calendars.workspace_id', '=', workspaceId)
    .where('events.uid', '=', uid)
    .orderBy('events.id')
    .executeTakeFirst();
  return found ? readEvent(ctx, found.id) : null;
}

/** The person's own calendar that is oldest; their first one is made when they have none. */
async function firstCalendar({ em, now }: VerbContext, { userId, workspaceId }: Invitation): Promise<number> {
  const first = await sqlOf(em)
    .selectFrom('calendars')
    .select('id')
    .where('owner_id', '=', userId)
    .where('workspace_id', '=', workspaceId)
    .orderBy('id')
    .executeTakeFirst();
  if (first) return first.id;
  const calendar = em.create(Calendar, { ownerId: userId, workspaceId, name: 'Calendar', createdAt: now });
  await em.flush();
  return calendar.id;
}
