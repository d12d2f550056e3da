import { expect, test } from 'vitest';
import { startsText } from './index.ts';

const now = new Date('2026-11-21T08:00:00Z');
const text = (language: string, start: string, allDay = false, zone = 'Europe/Berlin') =>
  startsText(language, { start: Date.parse(start), allDay, eventZone: 'UTC' }, zone, now);

test.each([
  ['en', /^Starts at 3:30\sPM$/],
  ['en-GB', /^Starts at 15:30$/],
  ['de', /^Beginnt um 15:30 Uhr$/],
  ['es', /^Empieza: 15:30$/],
  ['fr', /^Commence à 15:30$/],
  ['pt-BR', /^Início: 15:30$/],
  ['de_AT', /^Beginnt um 15:30 Uhr$/],
  ['tlh', /^Starts at 3:30\sPM$/],
  ['constructor', /^Starts at 3:30\sPM$/],
])('formats a time today in the language %s and the reader’s time zone', (language, expected) => {
  expect(text(language, '2026-11-21T14:30:00Z')).toMatch(expected);
});

test('names the day if the event is on another day in the reader’s time zone', () => {
  expect(text('en', '2026-11-21T23:30:00Z')).toMatch(/^Starts on Sun, Nov 22 at 12:30\sAM$/);
});

test('shows the day of an all-day event in the event’s time zone', () => {
  expect(text('en', '2026-11-24T00:00:00Z', true, 'America/New_York')).toBe('Tue, Nov 24, all day');
});
