import type { EventStatus } from '@firmdesk/contract';
import type { Override, Series } from '@firmdesk/recurrence';
import type { AddedDate } from '../calendar.entity.ts';

/** The columns of `events` that determine when an event takes place. */
export interface EventTimes {
  local_start: string;
  local_end: string;
  all_day: boolean;
  timezone: string;
  recurrence_rule: string | null;
  added_dates: readonly AddedDate[] | null;
  removed_dates: readonly string[] | null;
}

/** The columns of `event_overrides` that a reader needs. */
export interface OverrideColumns {
  occurrence_start: string;
  cancelled: boolean;
  this_and_future: boolean;
  local_start: string | null;
  local_end: string | null;
  all_day: boolean | null;
  title: string | null;
  description: string | null;
  location: string | null;
  status: EventStatus | null;
}

/** An override for the expansion, with its row and the index of the row. */
export interface RowOverride extends Override {
  row: OverrideColumns;
  index: number;
}

/** Returns the series of an event and its overrides. Stored times are valid moments of a series. */
export function seriesOf(
  event: EventTimes,
  overrides: readonly OverrideColumns[] | null,
): Series<RowOverride> {
  return {
    start: event.local_start,
    end: event.local_end,
    zone: event.timezone,
    allDay: event.all_day,
    rule: event.recurrence_rule,
    rdates: event.added_dates ?? [],
    exdates: event.removed_dates ?? [],
    overrides: overrides?.map((row, index) => ({
      recurrenceId: row.occurrence_start,
      start: row.local_start,
      end: row.local_end,
      cancelled: row.cancelled,
      thisAndFuture: row.this_and_future,
      row,
      index,
    })),
  };
}

/** Returns whether an event recurs. Only the occurrences of such an event have an `occurrence_start`. */
export function isRecurring(event: {
  recurrence_rule?: string | null | undefined;
  added_dates: readonly unknown[] | null;
}): boolean {
  return Boolean(event.recurrence_rule) || (event.added_dates?.length ?? 0) > 0;
}
