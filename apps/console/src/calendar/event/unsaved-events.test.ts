import type { CalendarEvent } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import type { CallProcedure, OutboxEntry } from '../../outbox/entries.ts';
import { withUnsavedEvents } from './unsaved-events.ts';

const ZONE = 'Europe/London';
const entry = (procedure: CallProcedure, input: object): OutboxEntry => ({
  kind: 'call',
  procedure,
  input,
  key: procedure,
  addedAt: 0,
  isTried: false,
});
/** An occurrence at 10:00 London time of a day in July. */
const on = (day: number, over: Partial<CalendarEvent> = {}) =>
  ({
    id: 7,
    title: 'Stand-up',
    timezone: ZONE,
    occurrence_start: `2026-07-0${day}T09:00:00.000Z`,
    starts_at: `2026-07-0${day}T09:00:00.000Z`,
    ends_at: `2026-07-0${day}T09:30:00.000Z`,
    status: 'confirmed',
    ...over,
  }) as CalendarEvent;
const series = [on(1), on(2), on(3)];
const shown = (...entries: OutboxEntry[]) => withUnsavedEvents(series, entries, ZONE);
const second = { id: 7, occurrence_start: series[1]!.occurrence_start };

test('adds a created event, with its local times in its time zone', () => {
  const times = { title: 'Lunch', calendar_id: 1, timezone: ZONE, all_day: false };
  const create = (starts_at: string, ends_at: string) =>
    shown(entry('calendar.create', { ...times, starts_at, ends_at })).at(-1);
  expect(create('2026-07-02T12:00', '2026-07-02T13:00')).toMatchObject({
    title: 'Lunch',
    starts_at: '2026-07-02T11:00:00.000Z',
    ends_at: '2026-07-02T12:00:00.000Z',
    can_write: false,
    unsaved: 'calendar.create',
  });
  // The clocks change on 29 March and 25 October.
  expect(create('2026-03-29', '2026-03-30')).toMatchObject({
    starts_at: '2026-03-29T00:00:00.000Z',
    ends_at: '2026-03-29T23:00:00.000Z',
  });
  expect(create('2026-10-25T00:30', '2026-10-25T03:00')).toMatchObject({
    starts_at: '2026-10-24T23:30:00.000Z',
    ends_at: '2026-10-25T03:00:00.000Z',
  });
});

test.each([
  ['this', ['10:00', '11:00', '10:00']],
  ['this_and_following', ['10:00', '11:00', '11:00']],
  ['all', ['11:00', '11:00', '11:00']],
] as const)('moves the occurrences of a change: %s', (extent, starts) => {
  const input = { ...second, extent, starts_at: '2026-07-02T11:00', ends_at: '2026-07-02T11:30' };
  const moved = shown(entry('calendar.change', input));
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: ZONE });
  expect(moved.map(({ starts_at }) => clock.format(new Date(starts_at)))).toEqual(starts);
  expect(moved.map(({ unsaved }) => unsaved !== undefined)).toEqual(starts.map((at) => at === '11:00'));
});

test.each([
  ['this', [1, 3]],
  ['this_and_following', [1]],
  ['all', []],
] as const)('leaves out the occurrences of a deletion: %s', (extent, left) => {
  const kept = shown(entry('calendar.delete', { ...second, extent }));
  expect(kept.map(({ starts_at }) => new Date(starts_at).getUTCDate())).toEqual(left);
});

test('applies changes in their order, and leaves other events and entries alone', () => {
  const renamed = entry('calendar.change', { ...second, extent: 'this', title: 'Sync' });
  const again = entry('calendar.change', { ...second, extent: 'this', title: 'Weekly' });
  const declined = entry('calendar.answer', { id: 8, response: 'declined' });
  expect(
    shown(renamed, again, declined, entry('notifications.changeSetting', {})).map(({ title }) => title),
  ).toEqual(['Stand-up', 'Weekly', 'Stand-up']);
  expect(withUnsavedEvents([on(1, { id: 8 })], [declined], ZONE)).toEqual([]);
});
