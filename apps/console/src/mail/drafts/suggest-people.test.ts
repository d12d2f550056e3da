import { expect, test } from 'vitest';
import { suggestPeople } from './suggest-people.ts';

const people = [
  { email: 'support@annexe.example', name: null },
  { email: 'joe@x.example', name: 'José Ann Lee' },
  { email: 'bob@x.example', name: 'Bob' },
  { email: 'ann@x.example', name: null },
];
const found = (typed: string, chosen: string[] = []) =>
  suggestPeople(people, typed, chosen).map(({ email }) => email);

test('suggests people by any part of their name and address, first those that begin with it', () => {
  expect(found('ann')).toEqual(['joe@x.example', 'ann@x.example', 'support@annexe.example']);
  expect(found('jose lee')).toEqual(['joe@x.example']);
  expect(found('X.EXAMPLE bo')).toEqual(['bob@x.example']);
  expect(found('ann', ['ANN@x.example'])).toEqual(['joe@x.example', 'support@annexe.example']);
  expect(found('  ')).toEqual([]);
  expect(found('zoe')).toEqual([]);
});
