import { expect, test } from 'vitest';
import type { SearchScope } from './search-operators.ts';
import { suggestionsFor } from './search-suggestions.ts';

const scope: SearchScope = {
  directory: {
    object: 'desk',
    agents: [],
    teams: [],
    tags: ['Needs review', 'Fee', 'Refund'].map((name, id) => ({ id, name, color: '#000' })),
    macros: [],
    articles: [],
  },
  userId: 'usr_me0000',
  today: '2026-03-01',
};
const texts = (text: string, recent: string[] = []) =>
  suggestionsFor(text, recent, scope).map((each) => each.text);

test('offers earlier searches, then the operators, for an empty text', () => {
  const [first, second, third] = suggestionsFor('', ['payout', 'is:unread'], scope);
  expect([first, second, third]).toMatchObject([
    { kind: 'recent', text: 'payout' },
    { kind: 'recent', text: 'is:unread' },
    { kind: 'operator', text: 'from:' },
  ]);
});

test('offers the values of the operator that is typed, and completes the text', () => {
  expect(texts('payout tag:')).toEqual([
    'payout tag:"Needs review" ',
    'payout tag:Fee ',
    'payout tag:Refund ',
  ]);
  expect(texts('tag:re')).toEqual(['tag:"Needs review" ', 'tag:Refund ']);
  expect(texts('is:u')).toEqual(['is:unread ']);
});

test('offers nothing for words, and for a value that is typed whole', () => {
  for (const text of ['payout', 'tag:fee', '-tag:fee', 'tag:fee ', 'from:kim'])
    expect(texts(text, ['x'])).toEqual([]);
});
