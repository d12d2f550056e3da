import {
  expand,
  limitWork,
  nextAfter,
  type Occurrence,
  RecurrenceError,
  type Series,
} from '@firmdesk/recurrence';
import { DAY_MS } from '../../platform/process/clock.ts';
import { isRecurring, type OverrideColumns, type RowOverride, seriesOf } from '../events/series.ts';
import { instantOf } from '../events/stored-time.ts';
import { LOOP_STEPS } from '../limits.ts';
import type { FoundOverride, FoundRow } from './found-row.ts';

/** One occurrence of an event, as a search shows it. Instants in epoch ms. */
export interface Appearance {
  row: FoundRow;
  /** Null for an event that does not recur. */
  recurrenceId: number | null;
  start: number;
  end: number;
  title: string;
  location: string | null;
  allDay: boolean;
}

/** How long before its end the last appearance of a series that is over is looked for: first in two months, then in as many years as lie between two leap days. */
const LAST_DAYS = [62, 8 * 366];

/** Returns the next appearance of an event, or its last one; of a series that takes too much work to expand, or whose overrides are not all known, the first one. */
export function appearanceOf(
  row: FoundRow,
  overrides: readonly OverrideColumns[] | null,
  now: number,
): Appearance {
  if (!isRecurring(row) || !overrides) return firstOf(row);
  try {
    const found = limitWork({ steps: LOOP_STEPS }, () => {
      const series = seriesOf(row, overrides);
      return nextOf(series, now) ?? lastOf(series, row);
    });
    if (!found) return firstOf(row);
    const { recurrenceId, start, end, override } = found;
    const own = override?.row;
    return {
      row,
      recurrenceId,
      start,
      end,
      title: own?.title ?? row.title,
      location: own?.location ?? row.location,
      allDay: own?.all_day ?? row.all_day,
    };
  } catch (error) {
    if (error instanceof RecurrenceError) return firstOf(row);
    throw error;
  }
}

/** Returns the appearance that an override changes. */
export function appearanceOfOverride(row: FoundRow, override: FoundOverride): Appearance {
  const { title, location, timezone } = row;
  const recurrenceId = instantOf(override.occurrence_start, timezone);
  const start = override.local_start ? instantOf(override.local_start, timezone) : recurrenceId;
  const length = instantOf(row.local_end, timezone) - instantOf(row.local_start, timezone);
  const end = override.local_end ? instantOf(override.local_end, timezone) : start + length;
  return { row, recurrenceId, start, end, title, location, allDay: override.all_day ?? row.all_day };
}

function firstOf(row: FoundRow): Appearance {
  const { title, location, all_day, timezone } = row;
  const start = instantOf(row.local_start, timezone);
  const end = instantOf(row.local_end, timezone);
  return { row, recurrenceId: isRecurring(row) ? start : null, start, end, title, location, allDay: all_day };
}

function nextOf(series: Series<RowOverride>, now: number): Occurrence<RowOverride> | null {
  const { occurrences } = expand(series, { from: now, until: now + 1 }, { limit: 1 });
  return occurrences[0] ?? nextAfter(series, now);
}

function lastOf(series: Series<RowOverride>, { span_end }: FoundRow): Occurrence<RowOverride> | null {
  if (span_end === null) return null;
  const until = new Date(span_end).getTime() + 1;
  for (const days of LAST_DAYS) {
    const last = expand(series, { from: until - days * DAY_MS, until }).occurrences.at(-1);
    if (last) return last;
  }
  return null;
}
