import { expect, test } from 'vitest';
import { rankByName } from './rank-commands.ts';

const names = (text: string, ...of: string[]) =>
  rankByName(
    of.map((name) => ({ name })),
    text,
  ).map(({ name }) => name);

test('ranks a name that begins with the text first, then words, then the rest', () => {
  expect(names('set', 'Reset password', 'Assistant settings', 'Settings')).toEqual([
    'Settings',
    'Assistant settings',
    'Reset password',
  ]);
  expect(names('cal', 'Recall message', 'Calendar')).toEqual(['Calendar', 'Recall message']);
});

test('leaves out names that only contain the letters of the text', () => {
  expect(names('set', 'Stop the assistant', 'Needs reply')).toEqual([]);
});

test('finds words in any order, without case and accents', () => {
  expect(names('settings ass', 'Assistant settings')).toEqual(['Assistant settings']);
  expect(names('jose', 'José Álvarez')).toEqual(['José Álvarez']);
});
