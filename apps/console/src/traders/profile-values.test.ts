import type { ProfileField } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { entriesOf, valueAt } from './profile-values.ts';

const data = {
  'a/b': { '~': 1 },
  accounts: [
    { number: 'N-1', balance: '1234567.891', currency: 'EUR' },
    { number: 'N-2', balance: -50, currency: 'nonsense' },
    { other: true },
  ],
  since: '2026-01-05T10:00:00Z',
  isLive: false,
  page: 'https://back.example/traders/7',
  script: 'javascript:alert(1)',
};
const field = (over: Partial<ProfileField>): ProfileField => ({
  label: 'Label',
  value: '/since',
  format: 'text',
  ...over,
});
const shown = (over: Partial<ProfileField>) =>
  entriesOf({ title: 'Title', fields: [field(over)] }, data)[0]?.[0]?.value ?? null;

test('finds values by JSON pointers, own members only', () => {
  expect(valueAt(data, '/a~1b/~0')).toBe(1);
  expect(valueAt(data, '/accounts/1/number')).toBe('N-2');
  for (const pointer of ['/absent', '/accounts/9', '/since/length', '/constructor', '/__proto__'])
    expect(valueAt(data, pointer)).toBe(undefined);
});

test('shows values in their formats, and as text if they have another form', () => {
  expect(shown({ format: 'date' })).toEqual({ kind: 'date', at: '2026-01-05T10:00:00Z' });
  expect(shown({ value: '/isLive', format: 'flag' })).toEqual({ kind: 'text', text: 'No' });
  expect(shown({ value: '/page', format: 'link' })).toEqual({
    kind: 'link',
    text: 'back.example/traders/7',
    href: 'https://back.example/traders/7',
  });
  expect(shown({ value: '/script', format: 'link' })).toEqual({ kind: 'text', text: 'javascript:alert(1)' });
  expect(shown({ value: '/page', format: 'date' })).toMatchObject({ kind: 'text' });
  expect(shown({ value: '/accounts' })).toBe(null);
});

test('shows the entries of a list, each with its currency, without empty ones', () => {
  const entries = entriesOf(
    {
      title: 'Accounts',
      list: '/accounts',
      fields: [
        field({ label: 'Number', value: '/number' }),
        field({ label: 'Balance', value: '/balance', format: 'money', currency: '/currency' }),
      ],
    },
    data,
  );
  expect(entries.map((entry) => entry.map(({ value }) => value))).toEqual([
    [
      { kind: 'text', text: 'N-1' },
      { kind: 'text', text: '€1,234,567.89' },
    ],
    [
      { kind: 'text', text: 'N-2' },
      { kind: 'text', text: '-50' },
    ],
  ]);
  expect(entriesOf({ title: 'Accounts', list: '/since', fields: [field({})] }, data)).toEqual([]);
});
