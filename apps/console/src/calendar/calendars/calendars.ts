import { asFirmdeskError } from '@firmdesk/client';
import type { Calendar, CalendarEvent } from '@firmdesk/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { trpc } from '../../api.ts';
import { useUnsaved } from '../../outbox/outbox.ts';
import { useAccount } from '../../session/account.ts';
import { useStoredValue } from '../../stored-value.ts';
import { type ShownEvent, withUnsavedEvents } from '../event/unsaved-events.ts';
import type { Day } from '../views/days.ts';
import { addDays } from '../views/days.ts';
import { type Span, timedSpan } from '../views/layout.ts';
import { wallClockMs } from '../wall-clock.ts';
import { hueOf } from './calendar-colors.ts';
import { hiddenCalendars } from './hidden-calendars.ts';

const POLL_MS = 60_000;

export const calendarsQuery = () => trpc.calendar.calendars.queryOptions(undefined, { staleTime: POLL_MS });

export function isNotPermitted(error: unknown): boolean {
  return asFirmdeskError(error).code === 'calendar_not_permitted';
}

/** The accessible calendars with their hues, own calendars first. */
export function useCalendars() {
  const query = useQuery(calendarsQuery());
  const calendars = query.data ?? [];
  const byId = new Map(
    calendars.map((calendar, at) => [calendar.id, { calendar, hue: hueOf(calendar.color, at) }]),
  );
  return { query, calendars, byId };
}

/** Returns the style that gives an element with the class `in-hue` a calendar's colours. */
export function hueStyle(hue: number): CSSProperties {
  return { '--hue': hue } as CSSProperties;
}

export function isWritable({ level }: Calendar): boolean {
  return level === 'owner' || level === 'write';
}

/** The events in a range of days, of the visible calendars, in the account's time zone. */
export function useSpans(firstDay: Day, days: number) {
  const { timezone } = useAccount().user;
  const hidden = useStoredValue(hiddenCalendars);
  const query = useQuery(
    trpc.calendar.list.queryOptions(
      { from: firstDay, until: addDays(firstDay, days) },
      { refetchInterval: POLL_MS, placeholderData: keepPreviousData },
    ),
  );
  const entries = useUnsaved();
  const spans = withUnsavedEvents(query.data?.data ?? [], entries, timezone)
    .filter(({ calendar_id }) => !hidden.includes(calendar_id))
    .map((event) => spanOf(event, timezone));
  return { query, spans, isTruncated: query.data?.meta.truncated ?? false };
}

function spanOf(event: ShownEvent, zone: string): Span<ShownEvent> {
  const { starts_at, ends_at, all_day } = event;
  if (all_day) {
    // All-day events keep their dates in every time zone.
    const start = wallClockMs(starts_at, event.timezone);
    return { event, start, end: wallClockMs(ends_at, event.timezone), isWholeDays: true };
  }
  return timedSpan(
    event,
    wallClockMs(starts_at, zone),
    wallClockMs(ends_at, zone),
    Date.parse(ends_at) - Date.parse(starts_at),
  );
}

/** Returns a key that is unique per occurrence. */
export function keyOf({ id, occurrence_start }: CalendarEvent): string {
  return `${id} ${occurrence_start ?? ''}`;
}
