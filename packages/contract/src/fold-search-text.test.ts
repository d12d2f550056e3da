import fc from 'fast-check';
import { expect, test } from 'vitest';
import { distinctWords, fold } from './search-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 40 });

test('folds idempotently, and leaves one space between words', () => {
  fc.assert(
    fc.property(text, (raw) => {
      const folded = fold(raw);
      expect(fold(folded)).toBe(folded);
      expect(folded.split(' ').join('')).not.toMatch(/[\s\p{Cc}]/u);
      if (folded !== '') expect(folded.split(' ')).not.toContain('');
    }),
    { numRuns: 2000 },
  );
});

test('ignores case and the Unicode form of accents', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (raw) => {
      expect(fold(raw.normalize('NFD'))).toBe(fold(raw.normalize('NFC')));
      expect(fold(raw.toLowerCase())).toBe(fold(raw));
    }),
    { numRuns: 2000 },
  );
});

test('folds ASCII text by the short path to the same result', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), (raw) => {
      expect(fold(raw)).toBe(fold(`${raw} \u00e9`).replace(/ ?e$/, ''));
    }),
  );
});

test('returns each word once', () => {
  expect(distinctWords(fold('  Payout  payout PAYOUT\u3000late '))).toEqual(['payout', 'late']);
  expect(distinctWords(fold(' \u0301 '))).toEqual([]);
});
