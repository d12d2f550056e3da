import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitContentLine } from './content-line.ts';

const CARETS: Record<string, string> = { '^': '^^', '"': "^'", '\n': '^n' };
const word = fc
  .string({
    unit: fc.constantFrom('a', 'Z', ' ', ':', ';', ',', '"', '^', '\n', '=', 'ü', '@'),
    maxLength: 20,
  })
  .map((text) => text.trim());

test('reads a parameter in quotes, with the escapes of RFC 6868, as it was', () => {
  fc.assert(
    fc.property(word, word, (name, other) => {
      const quoted = (text: string) => `"${text.replace(/[\^"\n]/g, (character) => CARETS[character]!)}"`;
      const line = `ATTENDEE;CN=${quoted(name)};X-OTHER=${quoted(other)}:mailto:ann@org.test`;
      const { params, value } = splitContentLine(line)!;
      expect([params.get('CN'), params.get('X-OTHER'), value]).toEqual([name, other, 'mailto:ann@org.test']);
    }),
    { numRuns: 500 },
  );
});

test('finds the address after any name, with or without quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), fc.boolean(), (name, isQuoted) => {
      const line = `ATTENDEE;CN=${isQuoted ? `"${name}"` : name}:mailto:ann@org.test`;
      expect(splitContentLine(line)?.value.endsWith('mailto:ann@org.test')).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([
  [
    'DTSTART;TZID=(UTC+01:00) Rome, Vienna:20261208T100000',
    'TZID',
    '(UTC+01:00) Rome, Vienna',
    '20261208T100000',
  ],
  ['ATTENDEE;CN=Room: 4;ROLE=CHAIR:mailto:a@b.test', 'CN', 'Room: 4', 'mailto:a@b.test'],
  ['ATTENDEE;CN="Ann \\"Nick\\" P";ROLE=CHAIR:mailto:a@b.test', 'CN', 'Ann "Nick" P', 'mailto:a@b.test'],
  ['ATTENDEE;CN="Ann "Nick" P":mailto:a@b.test', 'CN', 'Ann "Nick" P', 'mailto:a@b.test'],
  ['ATTENDEE;CN="Ann:mailto:a@b.test', 'CN', 'Ann', 'mailto:a@b.test'],
  ['ORGANIZER;SENT-BY=mailto:c@b.test:mailto:a@b.test', 'SENT-BY', 'mailto:c@b.test', 'mailto:a@b.test'],
  ['ORGANIZER;CN=A: B;EMAIL=a@b.test:urn:uuid:1', 'CN', 'A: B', 'urn:uuid:1'],
  ['SUMMARY;LANGUAGE=en:Lunch: at noon; bring "a:b"', 'LANGUAGE', 'en', 'Lunch: at noon; bring "a:b"'],
  ['DESCRIPTION;ALTREP="data:text/html,x;y":Hi', 'ALTREP', 'data:text/html,x;y', 'Hi'],
])('splits %s', (line, name, param, value) => {
  const parts = splitContentLine(line)!;
  expect([parts.params.get(name), parts.value]).toEqual([param, value]);
});
