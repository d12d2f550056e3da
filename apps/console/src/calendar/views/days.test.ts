import { expect, test } from 'vitest';
import { isDay } from './days.ts';

test.each(['2026-11-22', '2028-02-29'])('accepts the date %s', (text) => expect(isDay(text)).toBe(true));

test.each(['2026-13-01', '2026-02-30', '2026-00-10', '2026-1-1', '', 5])('rejects %s as a date', (text) =>
  expect(isDay(text)).toBe(false),
);
