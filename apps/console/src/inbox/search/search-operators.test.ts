import type { SupportDirectory } from '@firmdesk/contract';
import { expect, test } from 'vitest';
import { endsInOperator, parseSearchText, valuesOf, written } from './search-operators.ts';

const directory: SupportDirectory = {
  object: 'desk',
  agents: [
    { id: 'usr_anna00', name: 'Anna Able', email: '', avatar_url: null, may_answer: true },
    { id: 'usr_anton0', name: 'Anton Best', email: '', avatar_url: null, may_answer: true },
  ],
  teams: [{ id: 7, name: 'Payments', members: [] }],
  tags: [
    { id: 3, name: 'Needs review', color: '#000' },
    { id: 4, name: 'fee', color: '#000' },
  ],
  macros: [],
  articles: [],
};
const scope = { directory, userId: 'usr_me0000', today: '2026-03-01' };
const parse = (text: string, isEntered = true) => parseSearchText(text, scope, isEntered);

test.each([
  ['from:kim payout', { from: 'kim' }, 'payout'],
  ['from:"Kim Trader" tag:needs-review', { from: 'Kim Trader', tag: '3' }, ''],
  ['tag:"needs review" STATUS:needs-reply', { tag: '3', status: 'waiting' }, ''],
  ['status:done assignee:me', { status: 'ended', assignee: 'me' }, ''],
  ['assignee:anna team:pay priority:Urgent', { assignee: 'usr_anna00', team: '7', priority: 'urgent' }, ''],
  [
    'before:2026-11-20 after:2026-11-01 has:attachment',
    { before: '2026-11-20', after: '2026-11-01', has: 'attachment' },
    '',
  ],
  ['is:unread', { is: 'unread' }, ''],
  ['is:mine payout', { assignee: 'usr_me0000' }, 'payout'],
  ['after:yesterday before:Today', { after: '2026-02-28', before: '2026-03-01' }, ''],
  ['after:7d', { after: '2026-02-22' }, ''],
  ['tag:fee,needs-review -status:done', { tag: '4,3', status: '-ended' }, ''],
  ['-priority:low,normal payout', { priority: '-low,normal' }, 'payout'],
  ['-has:attachment -is:unread', { has: '-attachment', is: '-unread' }, ''],
  ['due:1h', { due: '60m' }, ''],
  ['due:overdue payout', { due: 'breached' }, 'payout'],
  ['"wire tag:fee" -bonus card', {}, '"wire tag:fee" -bonus card'],
  ['https://example.com/a', {}, 'https://example.com/a'],
  ['-https://example.com -"tag:fee"', {}, '-https://example.com -"tag:fee"'],
])('reads the operators of %j', (text, filters, rest) => {
  expect(parse(text)).toEqual({ filters, rest, problem: null });
});

test.each([
  'tag:unknown',
  'assignee:an',
  'before:soon',
  'before:2026-13-01',
  'has:legs',
  'is:lost',
  'status:lost',
  'due:later',
  'due:0m',
  'due:9d',
  'tag:fee,unknown',
  'tag:',
])('leaves %j in the text and says so', (text) => {
  expect(parse(`${text} payout`)).toMatchObject({ filters: {}, rest: `${text} payout` });
  expect(parse(text).problem).toContain(text);
});

test('names values that this firm has', () => {
  expect(parse('tag:chargeback').problem).toBe(
    '“tag:chargeback” is not known. Try tag:"Needs review", tag:fee.',
  );
  const empty = { ...scope, directory: { ...directory, tags: [] } };
  expect(parseSearchText('tag:fee', empty, true).problem).toBe(
    '“tag:fee” is not known. This firm has no tags.',
  );
});

test.each(['is', 'has', 'status', 'priority', 'assignee', 'team', 'tag', 'due', 'before', 'after'] as const)(
  'understands each value that it offers for %s',
  (operator) => {
    for (const value of valuesOf(operator, scope)) {
      const parsed = parse(written(operator, value));
      expect(parsed, value).toMatchObject({ rest: '', problem: null });
      expect(Object.keys(parsed.filters)).toHaveLength(1);
    }
  },
);

test.each(['-from:kim', '-from:"Kim Trader"', '-AFTER:7d'])(
  'says that %j excludes nothing, also while it is typed',
  (text) => {
    for (const isEntered of [true, false]) {
      const parsed = parse(`priority:low ${text}`, isEntered);
      expect(parsed).toMatchObject({ filters: { priority: 'low' }, rest: text });
      expect(parsed.problem).toContain(`“${text}” excludes nothing`);
    }
    expect(endsInOperator(text)).toBe(false);
  },
);

test('does not read an operator that is still being typed', () => {
  expect(parse('payout from:ki', false)).toEqual({ filters: {}, rest: 'payout', problem: null });
  expect(parse('from:kim ', false).filters).toEqual({ from: 'kim' });
  expect(['from:ki', 'from:ki ', '-tag:f', 'payout'].map(endsInOperator)).toEqual([true, false, true, false]);
});
