import { expect, test } from 'vitest';
import { newRule, readRule, withStart, writeRule } from './rule-builder.ts';

/** A Monday, the fourth of its month. */
const start = { day: '2026-11-23', allDay: false, zone: 'Europe/Berlin' };

test.each([
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=3;COUNT=10',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR',
  'FREQ=MONTHLY;BYDAY=4MO',
  'FREQ=MONTHLY;INTERVAL=6',
  'FREQ=YEARLY;COUNT=2',
  'FREQ=WEEKLY;BYDAY=TU;UNTIL=20261225T225959Z',
])('shows %s in fields, and writes it as it was', (rule) => {
  expect(writeRule(readRule(rule, start)!, start)).toBe(rule);
});

test.each([
  'FREQ=HOURLY',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYDAY=1MO',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
  'FREQ=YEARLY;BYMONTH=3',
  'FREQ=WEEKLY;BYDAY=1MO',
  'FREQ=DAILY;UNTIL=tomorrow',
  'X-OTHER=1',
])('does not show %s, which has more than the fields can say', (rule) => {
  expect(readRule(rule, start)).toBeNull();
});

test('a weekly rule without days is on the day of the start', () => {
  expect(readRule('FREQ=WEEKLY', start)).toEqual(newRule(start));
});

test('the last weekday of a month is the last one, not the fifth', () => {
  const last = { ...start, day: '2026-11-30' };
  expect(writeRule({ ...newRule(last), unit: 'MONTHLY', monthlyBy: 'weekday' }, last)).toBe(
    'FREQ=MONTHLY;BYDAY=-1MO',
  );
});

test.each([
  ['Europe/Berlin', '20261224T225959Z'],
  ['America/New_York', '20261225T045959Z'],
  ['UTC', '20261224T235959Z'],
])('the end is the last second of its day in %s', (zone, until) => {
  const at = { ...start, zone };
  const rule = { ...newRule(at), end: { kind: 'until' as const, day: '2026-12-24' } };
  expect(writeRule(rule, at)).toBe(`FREQ=WEEKLY;BYDAY=MO;UNTIL=${until}`);
  expect(readRule(`FREQ=DAILY;UNTIL=${until}`, at)?.end).toEqual(rule.end);
});

test('the end has the form of the times, also when the event becomes one of whole days', () => {
  const allDay = { ...start, allDay: true };
  const rule = 'FREQ=DAILY;UNTIL=20261224T225959Z';
  expect(withStart(rule, start, allDay)).toBe('FREQ=DAILY;UNTIL=20261224');
  expect(withStart(withStart(rule, start, allDay), allDay, start)).toBe(rule);
  expect(withStart('FREQ=HOURLY', start, allDay)).toBe('FREQ=HOURLY');
});
