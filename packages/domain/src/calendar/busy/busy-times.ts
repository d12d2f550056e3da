import { type BusyPerson, type BusyTimes, type BusyTimesInput, MAX_BUSY_DAYS } from '@firmdesk/contract';
import type { Window } from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { ApiError } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { isAtLeast } from '../calendars/access-level.ts';
import { FIRST_INSTANT, LAST_INSTANT } from '../events/iso-time.ts';
import { openEvent } from '../events/open-event.ts';
import { taskQueueOf } from '../tasks/run-task.ts';
import { expandWindow } from '../window/expand-window.ts';
import { type BusyCalendar, findBusyCalendars, findBusyEvents, findBusyPeople } from './find-busy-events.ts';
import { type Interval, joined } from './intervals.ts';

/** The most occurrences of all people together. */
const MAX_OCCURRENCES = 10_000;

/** When somebody is busy. Instants in epoch ms. */
export interface Busy extends Interval {
  /** Null for an event that the caller cannot read. */
  title: string | null;
}

export interface BusyOf {
  /** By address in lower case. Addresses of which nothing is known are missing. */
  people: Map<string, Busy[]>;
  isTruncated: boolean;
}

/** Returns when people are busy in a window. Throws `resource_not_found` for an event that the caller cannot access, and for the window. */
export async function getBusyTimes(
  ctx: AccountContext,
  { emails, except_event, from, until }: BusyTimesInput,
): Promise<BusyTimes> {
  const window = { from: storable(Date.parse(from)), until: storable(Date.parse(until)) };
  if (window.until <= window.from) throw new ApiError('invalid_window');
  if (window.until - window.from > MAX_BUSY_DAYS * DAY_MS) throw new ApiError('window_too_wide');
  const { people, isTruncated } = await busyOf(ctx, { emails, exceptEvent: except_event, window });
  const toWire = ({ start, end, title }: Busy): BusyPerson['busy'][number] => ({
    starts_at: new Date(start).toISOString(),
    ends_at: new Date(end).toISOString(),
    title,
  });
  return {
    data: emails.map((email) => {
      const busy = people.get(email.toLowerCase());
      return { object: 'busy_person', email, is_known: busy !== undefined, busy: (busy ?? []).map(toWire) };
    }),
    meta: { truncated: isTruncated },
  };
}

/** Returns when the people with some addresses are busy, without an event that is being planned. */
export async function busyOf(
  ctx: AccountContext,
  { emails, exceptEvent, window }: { emails: readonly string[]; exceptEvent: number | null; window: Window },
): Promise<BusyOf> {
  const except = exceptEvent === null ? null : await openEvent(ctx, exceptEvent, 'read');
  const people = await findBusyPeople(ctx, [...new Set(emails.map((email) => email.toLowerCase()))]);
  const calendars = await findBusyCalendars(
    ctx,
    people.map(({ id }) => id),
  );
  const { events, isTruncated } = await findBusyEvents(ctx, {
    calendars: [...calendars.keys()],
    window,
    // An identifier that came from outside would tell whether somebody has an event with it.
    except: except && { id: except.id!, uid: except.source === 'manual' ? (except.uid ?? null) : null },
  });
  const found = await expandWindow(events, window, MAX_OCCURRENCES, {
    queue: taskQueueOf(ctx),
    log: ctx.services.log,
  });
  const byOwner = new Map<string, Busy[]>(people.map(({ id }) => [id, []]));
  for (const { event, start, end, override } of found.occurrences) {
    const calendar: BusyCalendar = calendars.get(event.calendar_id)!;
    const isReadable = calendar.level !== null && isAtLeast(calendar.level, 'read');
    const title = isReadable ? (override?.title ?? event.title) : null;
    if (start < end) byOwner.get(calendar.owner_id)!.push({ start, end, title });
  }
  return {
    people: new Map(people.map(({ id, email }) => [email, shown(byOwner.get(id)!)])),
    isTruncated: isTruncated || found.truncated,
  };
}

/** Returns an instant within the years that the database can read. */
export function storable(instant: number): number {
  return Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT);
}

/** Joins what has no title, so that it does not show how many events there are. Sorted by start. */
function shown(busy: readonly Busy[]): Busy[] {
  const hidden = joined(busy.filter(({ title }) => title === null));
  return [
    ...busy.filter(({ title }) => title !== null),
    ...hidden.map((each) => ({ ...each, title: null })),
  ].sort((a, b) => a.start - b.start || a.end - b.end);
}
