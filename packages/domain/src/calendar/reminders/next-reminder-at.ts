import { nextAfter, type Override, type Series } from '@firmdesk/recurrence';
import { MINUTE_MS } from '../../platform/process/clock.ts';

/**
 * Returns when the next reminder is due (epoch ms): `minutesBefore` ahead of the first occurrence that starts after `now` and
 * whose reminder is due after `doneUntil`. Null when no such occurrence is left. If an event was moved close to
 * `now`, the result is in the past: the reminder is due at once, before the event starts.
 */
export function nextReminderAt<O extends Override>(
  series: Series<O>,
  minutesBefore: number,
  doneUntil: number,
  now: number,
): number | null {
  const lead = minutesBefore * MINUTE_MS;
  const next = nextAfter(series, Math.max(doneUntil + lead, now) + 1);
  return next && next.start - lead;
}
