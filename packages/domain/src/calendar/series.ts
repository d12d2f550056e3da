import type { EventStatus } from '@firmdesk/contract';
import type { Override, Series } from '@firmdesk/recurrence';
import type { AddedDate } from './calendar.entity.ts';

/** The columns of `events` that decide when an event takes place. */
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

/** An override as the expansion takes it, with the row that it was made of, and the row's place. */
export interface RowOverride extends Override {
  row: OverrideColumns;
  index: number;
}

/** An event and its overrides as a series to expand. Stored times are moments of the expansion as they are. */
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

/** Whether an event is a series: only then have its occurrences an `occurrence_start`. */
export function isRecurring({
  recurrence_rule,
  added_dates,
}: Pick<EventTimes, 'recurrence_rule' | 'added_dates'>): boolean {
  return recurrence_rule !== null || (added_dates?.length ?? 0) > 0;
}
