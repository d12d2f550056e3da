import { expect, test } from 'vitest';
import { formatTicketCount, isSameSearch } from './views.ts';

test('compares searches by their filters, not by key order', () => {
  expect(isSameSearch({ status: 'open', q: 'a' }, { q: 'a', status: 'open' })).toBe(true);
  expect(isSameSearch({ status: 'open' }, {})).toBe(false);
});

test('shows a count above the maximum as the maximum and a plus sign', () => {
  const format = new Intl.NumberFormat('en');
  expect(formatTicketCount(10_000, format)).toBe('10,000');
  expect(formatTicketCount(10_001, format)).toBe('10,000+');
  expect(formatTicketCount(1_000, format, 999)).toBe('999+');
});
