import { expect, test } from 'vitest';
import { type MailSearch, type MailSearchText, parseMailSearch } from './mail-search.ts';

const text = (text: string, about: Partial<MailSearchText> = {}): MailSearchText => ({
  field: null,
  text,
  isPhrase: false,
  isExcluded: false,
  ...about,
});

test.each<[string, Partial<MailSearch>]>([
  ['wire transfer', { texts: [text('wire'), text('transfer')] }],
  ['  "wire  transfer" card ', { texts: [text('wire  transfer', { isPhrase: true }), text('card')] }],
  ['„wire transfer“', { texts: [text('wire transfer', { isPhrase: true })] }],
  ['"not closed', { texts: [text('not closed', { isPhrase: true })] }],
  [
    'from:ann TO:bob@x.example',
    { texts: [text('ann', { field: 'from' }), text('bob@x.example', { field: 'to' })] },
  ],
  ['subject:"wire transfer"', { texts: [text('wire transfer', { field: 'subject', isPhrase: true })] }],
  [
    '-bonus -from:ann',
    { texts: [text('bonus', { isExcluded: true }), text('ann', { field: 'from', isExcluded: true })] },
  ],
  ['-"first deposit"', { texts: [text('first deposit', { isPhrase: true, isExcluded: true })] }],
  [
    'in:Trash is:unread has:attachment',
    {
      filters: [
        { kind: 'folder', folder: 'trash', isExcluded: false },
        { kind: 'unread', isExcluded: false },
        { kind: 'attachment', isExcluded: false },
      ],
    },
  ],
  [
    'after:2026-01-31 -before:2026-02-28',
    {
      filters: [
        { kind: 'after', day: '2026-01-31', isExcluded: false },
        { kind: 'before', day: '2026-02-28', isExcluded: true },
      ],
    },
  ],
  // Words with a colon.
  [
    'https://x.example/?a=1 Re: 12:30 constructor:x',
    {
      texts: ['https://x.example/?a=1', 'Re:', '12:30', 'constructor:x'].map((word) => text(word)),
    },
  ],
  ['e-mail - :', { texts: ['e-mail', '-', ':'].map((word) => text(word)) }],
  ['""', {}],
  ['', {}],
])('parses %j', (search, expected) => {
  expect(parseMailSearch(search)).toEqual({ texts: [], filters: [], errors: [], ...expected });
});

test.each([
  'in:outbox',
  'in:',
  'from:',
  'from:""',
  'has:star',
  'is:read',
  'before:yesterday',
  'after:2026-02-30',
  'before:0000-01-01',
  'after:2026-1-1',
])('reports what is wrong in %j', (search) => {
  const { errors, texts, filters } = parseMailSearch(search);
  expect([errors.length, texts, filters]).toEqual([1, [], []]);
  expect(errors[0]).toMatch(/^must (name|have) /);
});
