import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAddresses } from './addresses.ts';

const atom = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const email = fc.tuple(atom, atom).map(([local, domain]) => `${local}@${domain}.test`);
/** Words of a name with characters that should be in quotation marks. */
const name = fc
  .array(fc.stringMatching(/^[A-Z][a-z]{0,6}[,:.]?$/), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' ').replace(/[,:]$/, ''));

test('reads each address of a list, whether or not its name is quoted', () => {
  const entry = fc.record({ email, name, isQuoted: fc.boolean() });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const header = entries.map(
        ({ email, name, isQuoted }) => `${isQuoted ? `"${name}"` : name} <${email}>`,
      );
      expect(readAddresses(header.join(', '))).toEqual(entries.map(({ email, name }) => ({ email, name })));
    }),
    { numRuns: 500, seed: 38 },
  );
});

test('reads bare addresses among separators and blanks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(email, fc.constantFrom(', ', ';', ' ,, ', ',\t')), { maxLength: 8 }),
      (entries) => {
        const header = entries.map(([email, separator]) => email + separator).join('');
        expect(readAddresses(header).map(({ email }) => email)).toEqual(entries.map(([email]) => email));
      },
    ),
    { numRuns: 300, seed: 38 },
  );
});

test('never loses the address of a sender to what surrounds it, and reads any text', () => {
  const noise = fc.array(
    fc.constantFrom('"', '(', ')', ',', ':', '\\', 'x', ' ', '=?utf-8?q?a?=', '[', "'"),
    {
      maxLength: 12,
    },
  );
  fc.assert(
    fc.property(noise, email, (before, email) => {
      const found = readAddresses(`${before.join('')} <${email}>`);
      // What is in a quoted string or a comment is none, by the grammar.
      if (/["()\\]/.test(before.join(''))) return;
      expect(found.map(({ email }) => email)).toContain(email);
    }),
    { numRuns: 1_000, seed: 38 },
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (header) => {
      for (const { email, name } of readAddresses(header)) expect(email + (name ?? '')).not.toBe('');
    }),
    { numRuns: 1_000, seed: 38 },
  );
});
