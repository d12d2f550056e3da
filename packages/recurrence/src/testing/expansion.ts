import { expand } from '../expand.ts';
import type { Series } from '../series.ts';

export const at = Date.parse;

export const formatInstant = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z');

export const windowOf = (from: string, until: string) => ({ from: at(from), until: at(until) });

/** Returns the occurrences in a window as `start/end`. */
export const shown = (series: Series, from: string, until: string) =>
  expand(series, windowOf(from, until)).occurrences.map(
    ({ start, end }) => `${formatInstant(start)}/${formatInstant(end)}`,
  );

/** Returns the starts of the occurrences in a window. */
export const starts = (series: Series, from: string, until: string) =>
  expand(series, windowOf(from, until)).occurrences.map(({ start }) => formatInstant(start));

export const NINE_TO_TEN: Series = {
  start: '2026-03-02T09:00:00',
  end: '2026-03-02T10:00:00',
  zone: 'America/New_York',
  rule: 'FREQ=DAILY',
};
