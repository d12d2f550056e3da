import { expect, test } from 'vitest';
import type { EventTimes } from '../events/series.ts';
import { EVENT_STEPS } from '../limits.ts';
import { runTaskInThread } from './run-task.ts';

/** An event without a second occurrence. The search for its next reminder takes hundreds of thousands of steps. */
const hostile: EventTimes = {
  local_start: '1900-01-01T09:00:00',
  local_end: '1900-01-01T10:00:00',
  all_day: false,
  timezone: 'UTC',
  recurrence_rule: 'FREQ=HOURLY;INTERVAL=168;BYDAY=TU',
  added_dates: null,
  removed_dates: null,
};
const reminders = [{ minutesBefore: 10, doneUntil: 0 }];
const now = Date.parse('2026-11-02T09:00:00Z');
const search = (queue: string) =>
  runTaskInThread(queue, EVENT_STEPS, 'nextRemindersAt', hostile, null, reminders, now);

test('serves another account before the queue of a busy one', async () => {
  const finished: string[] = [];
  const busy = Array.from({ length: 20 }, () => search('busy').then(() => finished.push('busy')));
  await search('other').then(() => finished.push('other'));
  // It starts after at most four of the busy queue. Meanwhile, the other thread goes on with that queue.
  expect(finished.indexOf('other')).toBeLessThan(10);
  await Promise.all(busy);
});

test('rejects an account whose queue is full with rate_limited, and still serves the others', async () => {
  const busy = Array.from({ length: 100 }, () => search('busy').catch((error) => error.apiCode));
  await expect(search('other')).resolves.toEqual([null]);
  const answers = await Promise.all(busy);
  expect(answers.filter((answer) => answer === 'rate_limited')).toHaveLength(38);
});
