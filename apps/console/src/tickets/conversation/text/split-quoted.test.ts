import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitQuoted } from './split-quoted.ts';

test.each([
  [
    'Thanks!\n\nOn Monday, Maya wrote:\n> Hello Kim\n>\n> your payout',
    'Thanks!',
    'On Monday, Maya wrote:\n> Hello Kim\n>\n> your payout',
  ],
  [
    'Thanks!\n\nOn Monday at 10:00,\nMaya <desk@example.com> wrote:\n\n> Hello\n',
    'Thanks!',
    'On Monday at 10:00,\nMaya <desk@example.com> wrote:\n\n> Hello',
  ],
  ['> what?\nThis one.\n> and?\nThat one.', '> what?\nThis one.\n> and?\nThat one.', ''],
  ['> only a quotation', '> only a quotation', ''],
  ['A list:\n- one', 'A list:\n- one', ''],
  ['', '', ''],
])('%j', (text, written, quoted) => {
  expect(splitQuoted(text)).toEqual({ written, quoted });
});

test('loses no character that can be seen', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('> quoted', 'text', 'wrote:', '', ' ')), (lines) => {
      const text = lines.join('\n');
      const { written, quoted } = splitQuoted(text);
      expect((written + quoted).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }),
  );
});
