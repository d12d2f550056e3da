import { DAY_MS } from '../../platform/process/clock.ts';
import { atField, EventFieldError } from './event-error.ts';
import { FIRST_INSTANT, LAST_INSTANT } from './iso-time.ts';
import type { NewOverride } from './new-event.ts';
import type { EventTimes, OverrideColumns } from './series.ts';
import { instantOf, toRecurrenceId, toStored } from './stored-time.ts';

/** The columns of `event_overrides`, except the ids of the event and the calendar. */
export interface OverrideRow extends OverrideColumns {
  sequence: number;
  stamp: string | null;
  span_start: string;
  span_end: string | null;
}

/** Returns an override with its times in the stored form. Throws `EventFieldError`. */
export function overrideColumns(override: NewOverride, event: EventTimes): OverrideColumns {
  const zone = event.timezone;
  const allDay = override.all_day ?? event.all_day;
  const recurrenceId = atField('occurrence_start', () =>
    toRecurrenceId(override.occurrence_start, zone, event.all_day),
  );
  const becomesDay = allDay && !event.all_day;
  const startsAt = override.starts_at ?? (becomesDay ? recurrenceId : null);
  const start = startsAt && atField('starts_at', () => toStored(startsAt, zone, allDay));
  let end = override.ends_at && atField('ends_at', () => toStored(override.ends_at!, zone, allDay));
  if (allDay && start && (end ? end === start : becomesDay)) end = dayAfter(start);
  if (end && instantOf(end, zone) < instantOf(start ?? recurrenceId, zone))
    throw new EventFieldError('.ends_at', 'must not be before the start');
  return {
    occurrence_start: recurrenceId,
    cancelled: override.cancelled ?? false,
    this_and_future: override.this_and_future ?? false,
    local_start: start,
    local_end: end ?? null,
    all_day: override.all_day ?? null,
    title: override.title ?? null,
    description: override.description ?? null,
    location: override.location ?? null,
    status: override.status ?? null,
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/**
 * Returns the rows of overrides. The span of an override covers its original and its new times, so that a window that overlaps
 * either finds it. If the series has a THISANDFUTURE override, the span of every override covers the whole series, so that each
 * window reads all overrides.
 */
export function overrideRows(
  event: EventTimes,
  columns: readonly OverrideColumns[],
  given: readonly NewOverride[],
  spanStart: number,
): OverrideRow[] {
  const zone = event.timezone;
  const hasThisAndFuture = columns.some(({ this_and_future }) => this_and_future);
  const length = longestOf(event);
  return columns.map((row, i) => {
    const recurrenceId = instantOf(row.occurrence_start, zone);
    const start = row.local_start ? instantOf(row.local_start, zone) : recurrenceId;
    const end = row.local_end ? instantOf(row.local_end, zone) : start + length;
    const first = hasThisAndFuture ? Math.min(spanStart, recurrenceId, start) : Math.min(recurrenceId, start);
    const last = hasThisAndFuture ? null : Math.max(recurrenceId + length, start, end);
    return {
      ...row,
      sequence: given[i]!.sequence ?? 0,
      stamp: given[i]!.stamp ?? null,
      span_start: toStorableInstant(first),
      span_end: last === null ? null : toStorableInstant(last),
    };
  });
}

/** Returns an instant as ISO 8601, limited to the years that the database can read. */
export function toStorableInstant(instant: number): string {
  return new Date(Math.min(Math.max(instant, FIRST_INSTANT), LAST_INSTANT)).toISOString();
}

/** Returns an upper bound for the length of all occurrences of a rule or an added date. A clock change moves an end by less than a day. */
function longestOf({ local_start, local_end, timezone, added_dates }: EventTimes): number {
  let longest = instantOf(local_end, timezone) - instantOf(local_start, timezone);
  for (const { start, end } of added_dates ?? []) {
    if (end) longest = Math.max(longest, instantOf(end, timezone) - instantOf(start, timezone));
  }
  return longest + 2 * DAY_MS;
}
