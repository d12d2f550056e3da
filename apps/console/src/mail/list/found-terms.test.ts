import { expect, test } from 'vitest';
import { foundTerms } from './found-terms.ts';

test.each<[string | undefined, string[]]>([
  [undefined, []],
  ['', []],
  ['Größe März', ['grosse', 'marz']],
  ['"Zahlen  für" x', ['zahlen fur']],
  ['from:Ann subject:"the numbers" to:kim', ['ann', 'the numbers', 'kim']],
  ['-bonus -"not this" is:unread before:2026-01-01 payout', ['payout']],
  ['in:outbox payout', ['payout']],
])('%j finds %j in texts', (q, terms) => {
  expect(foundTerms(q)).toEqual(terms);
});
