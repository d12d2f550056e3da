import { expect, test } from 'vitest';
import type { NewEvent } from './new-event.ts';
import { prepareEvent } from './prepare-event.ts';

const from = Date.parse('2026-11-02T09:00:00Z');

function eventWith(exdates: number): NewEvent {
  return {
    calendar_id: 1,
    title: 'Stand-up',
    starts_at: new Date(from).toISOString(),
    ends_at: new Date(from).toISOString(),
    timezone: 'UTC',
    recurrence_rule: 'FREQ=DAILY',
    exdates: Array.from({ length: exdates }, (_, day) =>
      new Date(from + day * 86_400_000 + 1_000).toISOString(),
    ),
  };
}

test.each([
  ['on the event loop for a few listed dates', 10, false],
  ['in a thread for thousands of them', 4_000, true],
])('computes the rows of an event %s', async (_, exdates, isInThread) => {
  let hasYielded = false;
  setImmediate(() => {
    hasYielded = true;
  });
  const { event } = await prepareEvent('account', eventWith(exdates));
  expect(event.removed_dates).toHaveLength(exdates);
  expect(hasYielded).toBe(isInThread);
});
