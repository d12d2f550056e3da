import { expect, test } from 'vitest';
import { parseSearchTerms } from './search-terms.ts';

test.each([
  ['wire transfer', { words: 'wire transfer' }],
  ['  "wire  transfer" card ', { words: 'card', phrases: ['wire  transfer'] }],
  ['payout -bonus -"first deposit"', { words: 'payout', without: ['bonus', 'first deposit'] }],
  ['"not closed', { phrases: ['not closed'] }],
  ['"" -"" - --', { words: '- --' }],
  ['„wire transfer“ “not closed”', { phrases: ['wire transfer', 'not closed'] }],
  ['payout –bonus −“first deposit”', { words: 'payout', without: ['bonus', 'first deposit'] }],
  ['e-mail #4X7Q2M -#12', { words: 'e-mail #4X7Q2M -#12' }],
  ['', {}],
])('parses %j', (text, expected) => {
  expect(parseSearchTerms(text)).toEqual({ words: '', phrases: [], without: [], ...expected });
});
