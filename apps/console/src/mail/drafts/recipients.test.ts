import { FirmdeskError } from '@firmdesk/client';
import { expect, test } from 'vitest';
import { parseAddresses, recipientAddresses, withoutRefused } from './recipients.ts';

test('parses the addresses that it formats, also with separators in a name', () => {
  const recipients = [
    { email: 'ann@example.com', name: 'Lee, Ann' },
    { email: 'bob@example.com', name: 'Bob "B; C" Hill' },
    { email: 'cy@example.com', name: 'Cy Moe' },
    { email: 'di@example.com', name: null },
  ];
  const text = recipientAddresses(recipients);
  expect(text).toBe(
    '"Lee, Ann" <ann@example.com>, "Bob \\"B; C\\" Hill" <bob@example.com>, Cy Moe <cy@example.com>, di@example.com',
  );
  expect(parseAddresses(text)).toEqual(recipients.map(({ email }) => email));
});

test('separates addresses at commas, semicolons and line breaks', () => {
  expect(parseAddresses('a@x.example; b@x.example,\nc@x.example, ,')).toEqual([
    'a@x.example',
    'b@x.example',
    'c@x.example',
  ]);
});

test('separates addresses after a quotation mark that is not closed', () => {
  expect(parseAddresses('O"Neil <o@x.example>, p@x.example')).toEqual(['o@x.example', 'p@x.example']);
});

test('leaves out the addresses that the service refuses, and nothing if it refuses anything else', () => {
  const draft = { to: ['a@x.example', 'half@', 'b@x.example'], cc: ['c'], bcc: [], subject: 'Terms' };
  const refusing = (...paths: string[]) =>
    new FirmdeskError('validation_failed', {
      message: 'A field.',
      fields: paths.map((path) => ({ path, message: 'must be an email address' })),
    });
  expect(withoutRefused(draft, refusing('to[1]', 'cc[0]'))).toEqual({
    ...draft,
    to: ['a@x.example', 'b@x.example'],
    cc: [],
  });
  for (const error of [
    refusing('to[1]', 'subject'),
    refusing(),
    new FirmdeskError('network', { message: 'No response.' }),
  ])
    expect(withoutRefused(draft, error)).toBeNull();
});
