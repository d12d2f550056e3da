import { nextAfter, type Override, type Series } from '@firmdesk/recurrence';
import { MINUTE_MS } from '../platform/clock.ts';

/**
 * When to remind next: `minutesBefore` ahead of the first appearance that starts after `now` and whose moment to remind
 * comes after `doneUntil` (epoch ms; null when there is none left). It may have passed already: an event that was moved
 * close is reminded of late, but before it starts.
 */
export function nextDue<O extends Override>(
  series: Series<O>,
  minutesBefore: number,
  doneUntil: number,
  now: number,
): number | null {
  const lead = minutesBefore * MINUTE_MS;
  const next = nextAfter(series, Math.max(doneUntil + lead, now) + 1);
  return next && next.start - lead;
}
