import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldSearchText as fold, foldWithPositions } from './fold-search-text.ts';

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

/** Other forms of a letter that a text is found by. */
const ALIKE: [string, string][] = [
  ["'", '‘’ʼ`´′＇ʻ׳՚'],
  ['"', '“”„«»″״＂'],
  ['-', '‐‑‒–—−－﹣־⁻'],
  ['ا', 'أإآٱ'],
  ['ي', 'ىیئﻱ'],
  ['ك', 'کڪﻙ'],
  ['5', '٥۵५৫๕５𝟓⑤'],
];

test('a text is folded to the same in each form of its letters, and with signs that people leave out', () => {
  const piece = fc.constantFrom('pay', ' ', 'é', 'が', 'हि', ...ALIKE.map(([letter]) => letter));
  const sign = fc.constantFrom(
    '',
    '\u064b',
    '\u064e',
    '\u0651',
    '\u0654',
    '\u05b8',
    '\u05c1',
    '\u0640',
    '\u200e',
    '\u00ad',
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, fc.nat(), sign)), (pieces) => {
      const other = pieces.map(([letter, n, added]) => {
        const forms = [...(ALIKE.find(([one]) => one === letter)?.[1] ?? letter)];
        const form = ALIKE.some(([one]) => one === letter) ? forms[n % forms.length]! : letter;
        return form + (/[اأإآٱيىیئك]/.test(letter) ? added : '');
      });
      expect(fold(other.join(''))).toBe(fold(pieces.map(([letter]) => letter).join('')));
    }),
    { numRuns: 1000 },
  );
});

test('every digit of Unicode is folded to 0 to 9, and every dash to one', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (/\p{Nd}/u.test(character)) expect(fold(character)).toMatch(/^[0-9]$/);
    // A wave dash is typed as a tilde.
    if (/\p{Pd}/u.test(character)) expect(fold(character)).toMatch(/^[-~]$/);
  }
  expect(fold('٠١٢٣٤٥٦٧٨٩')).toBe('0123456789');
});

test('knows for each folded character where it is in the text', () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'grapheme', maxLength: 40 })), (raw) => {
      const { folded, at } = foldWithPositions(raw);
      expect(folded).toBe(fold(raw));
      expect(at).toHaveLength(folded.length + 1);
      expect(at).toEqual(at.toSorted((a, b) => a - b));
    }),
    { numRuns: 2000 },
  );
  expect(foldWithPositions('أَحْمَد ٤٢')).toEqual({ folded: 'احمد 42', at: [0, 2, 4, 6, 7, 8, 9, 10] });
});

test('takes no more time than a text’s length needs, whatever marks it has', () => {
  const length = 50_000;
  for (const marks of ['\u0301\u0323', '\u0e38\u0e48', '\u0301\u200d\u0323', '\u3099\u0640']) {
    const [above, below] = [marks.slice(0, -1), marks.at(-1)!];
    for (const text of [`a${above.repeat(length)}${below.repeat(length)}`, `a${marks.repeat(length)}`]) {
      const before = process.cpuUsage();
      expect(fold(fold(text))).toBe(fold(text));
      foldWithPositions(text);
      expect(process.cpuUsage(before).user).toBeLessThan(3_000_000);
    }
  }
});

test('takes no more time than a text’s length needs to find its positions, however many blanks it has', () => {
  const before = process.cpuUsage();
  foldWithPositions('a '.repeat(100_000));
  const { user, system } = process.cpuUsage(before);
  expect(user + system).toBeLessThan(2_000_000);
});
