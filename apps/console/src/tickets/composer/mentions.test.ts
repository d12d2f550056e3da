import { expect, test } from 'vitest';
import { mentionedIn, splitMentions, suggestionsFor, typedMention } from './mentions.ts';

const people = ['Ben Best', 'Ben Bester', 'Ada Able', 'Émile Ben'].map((name) => ({
  id: `usr_${name}`,
  name,
  email: `${name.slice(0, 1).toLowerCase()}.desk@firm.example`,
}));
const names = (some: { name: string }[]) => some.map(({ name }) => name);

test.each([
  ['@', { start: 0, query: '' }],
  ['Hello @be', { start: 6, query: 'be' }],
  ['(@Ben Be', { start: 1, query: 'Ben Be' }],
  ['ben@example.com', null],
  ['@ben\nnext line', null],
  ['No mention', null],
])('finds the mention that is being typed in %j', (text, typed) => {
  expect(typedMention(text, text.length)).toEqual(typed);
});

test('suggests colleagues by any part of their name or address', () => {
  expect(names(suggestionsFor('be', people))).toEqual(['Ben Best', 'Ben Bester', 'Émile Ben']);
  expect(names(suggestionsFor('EMI', people))).toEqual(['Émile Ben']);
  expect(names(suggestionsFor('est', people))).toEqual(['Ben Best', 'Ben Bester']);
  expect(names(suggestionsFor('a.desk', people))).toEqual(['Ada Able']);
  expect(names(suggestionsFor('ben best ', people))).toEqual([]);
  expect(suggestionsFor('nobody', people)).toEqual([]);
  expect(suggestionsFor('', Array(20).fill(people[0]!))).toHaveLength(8);
});

test('finds the colleagues whom a text mentions by their full names', () => {
  const text = 'Thanks @Ben Bester, and @Ada Able! Not a@Ben Best, @Ben or @Ada Ables.';
  expect(names(mentionedIn(text, people))).toEqual(['Ben Bester', 'Ada Able']);
  expect(splitMentions('Hi @Ada Able.', people)).toEqual([
    { text: 'Hi ', isMention: false },
    { text: '@Ada Able', isMention: true },
    { text: '.', isMention: false },
  ]);
});
