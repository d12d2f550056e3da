import { expect, test } from 'vitest';
import { describeRecurrence } from './describe-recurrence.ts';

test.each([
  ['FREQ=DAILY', 'every day'],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', 'every 2 weeks on Monday and Friday'],
  ['FREQ=MONTHLY;BYDAY=-1TH', 'every month on the last Thursday'],
  ['FREQ=MONTHLY;BYMONTHDAY=15;COUNT=6', 'every month on day 15, 6 times'],
  ['FREQ=YEARLY;WKST=SU', 'every year'],
])('describes %s as %s', (rule, text) => {
  expect(describeRecurrence(rule)).toBe(text);
});

test('shows the end as a date', () => {
  expect(describeRecurrence('FREQ=DAILY;UNTIL=20261203T235959Z')).toMatch(/^every day, until .*2026/);
});

test.each([
  'FREQ=HOURLY',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=YEARLY;BYMONTH=3',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
])('returns null for %s', (rule) => {
  expect(describeRecurrence(rule)).toBeNull();
});
