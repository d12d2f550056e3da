import { localToUtc, parseLocal } from '@firmdesk/recurrence';
import { TestLog } from '@firmdesk/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WINDOW_LOOP_STEPS } from '../limits.ts';
import { type Expandable, expandEvents } from './expand-events.ts';
import { expandWindow } from './expand-window.ts';

const DAY = 86_400_000;
const from = Date.parse('2026-11-01T00:00:00Z');
const window = { from, until: from + 92 * DAY };
const log = new TestLog();

function eventOf(id: number, over: Partial<Expandable> = {}): Expandable {
  return {
    id,
    local_start: `2020-01-${String(1 + (id % 28)).padStart(2, '0')}T${String(id % 24).padStart(2, '0')}:00:00`,
    local_end: `2020-02-01T00:00:00`,
    all_day: false,
    timezone: 'Europe/Berlin',
    recurrence_rule: 'FREQ=DAILY',
    added_dates: null,
    removed_dates: null,
    overrides: null,
    is_partial: false,
    ...over,
  };
}
const unchanged = {
  cancelled: false,
  this_and_future: false,
  local_start: null,
  local_end: null,
  all_day: null,
  title: null,
  description: null,
  location: null,
  status: null,
};
/** Returns the hour at an offset from the start of the window, as `YYYY-MM-DDTHH`. */
const formatHour = (hours: number) => new Date(from + hours * 3_600_000).toISOString().slice(0, 13);

/** Expands all events at once, without limits of work. */
const expandAll = (events: Expandable[], limit: number) =>
  expandEvents(events, window, limit, { steps: Number.POSITIVE_INFINITY }).occurrences.slice(0, limit);
const idsAndTimes = ({
  event,
  recurrenceId,
  start,
  end,
}: {
  event: Expandable;
  recurrenceId: number | null;
  start: number;
  end: number;
}) => ({
  eventId: event.id,
  recurrenceId,
  start,
  end,
});

describe('expandWindow', () => {
  test('returns the same from the event loop and from threads', async () => {
    const events = Array.from({ length: 10_000 }, (_, i) =>
      eventOf(i + 1, {
        local_end: '2020-01-30T00:00:00',
        recurrence_rule: i % 3 ? 'FREQ=WEEKLY' : 'FREQ=DAILY',
      }),
    );
    const budget = { steps: WINDOW_LOOP_STEPS };
    expect(expandEvents(events, window, 10_000, budget).processed).toBeLessThan(events.length);
    const { occurrences, truncated } = await expandWindow(events, window, 10_000, { queue: 'account', log });
    expect(truncated).toBe(true);
    expect(occurrences.map(idsAndTimes)).toEqual(expandAll(events, 10_000).map(idsAndTimes));
  });

  test('returns the first occurrences in order, for any limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(50), { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        (starts, limit) => {
          const events = starts.map((start, i) =>
            eventOf(i + 1, {
              local_start: `2026-11-${String(1 + (start % 28)).padStart(2, '0')}T09:00:00`,
              local_end: '2026-12-01T00:00:00',
              recurrence_rule: start % 2 ? 'FREQ=DAILY;COUNT=5' : null,
            }),
          );
          const all = expandAll(events, 10_000);
          expect(expandAll(events, limit)).toEqual(all.slice(0, limit));
        },
      ),
    );
  });

  test('returns the first ones if more than the limit began before the window', () => {
    const events = Array.from({ length: 60 }, (_, i) =>
      eventOf(60 - i, {
        local_start: `2026-10-01T09:${String(i).padStart(2, '0')}:00`,
        local_end: '2026-12-01T00:00:00',
        recurrence_rule: null,
      }),
    );
    expect(expandAll(events, 5).map(({ event }) => event.id)).toEqual([60, 59, 58, 57, 56]);
    expect(expandAll(events.toReversed(), 5).map(({ event }) => event.id)).toEqual([60, 59, 58, 57, 56]);
  });

  test('returns only the first occurrence of a partially read event, and logs its id', async () => {
    const partial = eventOf(1, {
      is_partial: true,
      local_start: '2026-11-05T09:00:00',
      local_end: '2026-11-05T10:00:00',
    });
    const { occurrences, truncated } = await expandWindow([partial], window, 100, { queue: 'account', log });
    expect(truncated).toBe(true);
    expect(occurrences.map(({ recurrenceId, start }) => [recurrenceId, start])).toEqual([
      [Date.parse('2026-11-05T08:00:00Z'), Date.parse('2026-11-05T08:00:00Z')],
    ]);
    expect(log.lines).toContainEqual({
      level: 'warn',
      message: 'events cannot be expanded: only their first occurrence is shown',
      fields: { events: [1], count: 1 },
    });
  });

  test('expands an event with thousands of listed dates in a thread', async () => {
    const hours = Array.from({ length: 5_000 }, (_, hour) => `${formatHour(hour)}:00:00`);
    const halfHours = hours.map((hour) => hour.replace(':00:00', ':30:00'));
    const event = eventOf(1, {
      local_start: '2026-11-01T09:00:00',
      local_end: '2026-11-01T10:00:00',
      added_dates: halfHours.map((start) => ({ start })),
      removed_dates: halfHours.map((time) => time.replace(':30:00', ':45:00')),
      overrides: hours.map((hour) => ({ ...unchanged, occurrence_start: hour })),
    });
    let hasYielded = false;
    setImmediate(() => {
      hasYielded = true;
    });
    const { occurrences } = await expandWindow([event], window, 10_000, { queue: 'account', log });
    expect(hasYielded).toBe(true);
    expect(occurrences.length).toBeGreaterThan(2 * 92 * 20);
    const overridden = occurrences.filter(({ override }) => override);
    expect(overridden.length).toBeGreaterThan(92 * 20);
    for (const { recurrenceId, override } of overridden)
      expect(localToUtc(parseLocal(override!.occurrence_start), event.timezone)).toBe(recurrenceId);
  });

  test('stops when its budget is used', async () => {
    const removed = (first: number) =>
      Array.from({ length: 90 }, (_, i) => `${String(first + 5 * i).padStart(4, '0')}-07-01T09:00:00`);
    // Each takes about 180,000 steps: less than the limit of an event, and together far more than that of the window.
    const events = Array.from({ length: 200 }, (_, i) =>
      eventOf(i + 1, {
        local_start: '2026-11-05T09:00:00',
        local_end: '2026-11-05T10:00:00',
        timezone: i % 2 ? 'America/New_York' : 'Europe/Berlin',
        removed_dates: removed(3_000 + 450 * (i % 14)),
      }),
    );
    const { occurrences, truncated } = await expandWindow(events, window, 10_000, { queue: 'account', log });
    expect(truncated).toBe(true);
    const counts = Map.groupBy(occurrences, ({ event }) => event.id);
    expect(counts.size).toBe(events.length);
    expect(counts.get(1)!.length).toBeGreaterThan(40);
    expect(counts.get(200)).toHaveLength(1);
  });
});
