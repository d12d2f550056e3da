import { expect, test } from 'vitest';
import { shownRows } from './shown-rows.ts';

const rows = [
  { name: 'Payouts', used: 10 },
  { name: 'äther', used: null },
  { name: 'Fraud', used: 9 },
];
const shown = (over: Partial<Parameters<typeof shownRows<(typeof rows)[number]>>[1]>) =>
  shownRows(rows, { text: '', textOf: ({ name }) => name, sortBy: null, isDown: false, ...over }).map(
    ({ name }) => name,
  );

test('the rows of a table are filtered by every word and sorted by text or number, those without a value last', () => {
  expect(shown({})).toEqual(['Payouts', 'äther', 'Fraud']);
  expect(shown({ text: ' fr  AUD ' })).toEqual(['Fraud']);
  expect(shown({ text: 'fr payouts' })).toEqual([]);
  expect(shown({ sortBy: ({ name }) => name })).toEqual(['äther', 'Fraud', 'Payouts']);
  expect(shown({ sortBy: ({ name }) => name, isDown: true })).toEqual(['Payouts', 'Fraud', 'äther']);
  expect(shown({ sortBy: ({ used }) => used })).toEqual(['Fraud', 'Payouts', 'äther']);
  expect(shown({ sortBy: ({ used }) => used, isDown: true })).toEqual(['Payouts', 'Fraud', 'äther']);
});
