import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasVisibleText, oneLine, withoutBidiControls, withoutInvisibleText } from './visible-text.ts';

/** What a person does not see by itself. */
const NOTHING = {
  'no character': '',
  'a space': ' ',
  'a line break': '\r\n',
  'a no-break space': '\u00a0',
  'an ideographic space': '\u3000',
  'a line separator': '\u2028',
  'a control character': '\u0007',
  'a C1 control character': '\u0085',
  'a soft hyphen': '\u00ad',
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a right-to-left override': '\u202e',
  'an Arabic letter mark': '\u061c',
  'a bidi isolate': '\u2066\u2069',
  'a Hangul filler': '\u3164',
  'a half-width Hangul filler': '\uffa0',
  'Hangul jamo fillers': '\u115f\u1160',
  'a Khmer inherent vowel': '\u17b4',
  'a Mongolian vowel separator': '\u180e',
  'a blank braille pattern': '\u2800',
  'a blank musical note': '\u{1d159}',
  'an object replacement character': '\ufffc',
  'an accent without a letter': '\u0301',
  'an enclosing mark': '\u20dd',
  'a variation selector': '\ufe0f',
  'a supplementary variation selector': '\u{e0100}',
  tags: '\u{e0048}\u{e0069}\u{e007f}',
  'a reserved default-ignorable': '\u{e0fff}',
  'a noncharacter': '\uffff',
  'an interlinear annotation': '\ufff9\ufffb',
  'half a surrogate pair': '\ud83d',
};

/** What a person sees, and needs as it is. */
const TEXTS = {
  'a letter': 'a',
  'a digit': '٧',
  'a full stop': '.',
  'a symbol': '€',
  'a letter with an accent': 'e\u0301',
  'Hangul jamo': '\u1112\u1161\u11ab',
  'an emoji': '👍',
  'a skin tone': '👍🏽',
  'a family': '👨\u200d👩\u200d👧\u200d👦',
  'a flag of two letters': '🇨🇦',
  'a flag of tags': '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  'a rainbow flag': '🏳\ufe0f\u200d🌈',
  'a profession with a skin tone': '👩🏽\u200d⚕\ufe0f',
  'a keycap': '1\ufe0f\u20e3',
  'text style': '☺\ufe0e',
  'a Persian non-joiner': 'می\u200cخواهم',
  'an Arabic joiner at the end': 'ه\u200d',
  'an Arabic joiner at the start': '\u200dه',
  'Arabic vowel signs': 'مُحَوِّل',
  'a Hindi joiner': 'क्\u200dष',
  'a Sinhala conjunct': 'ශ්\u200dරී',
  'a Malayalam chillu': 'ന്\u200d',
  'a Mongolian variant': 'ᠠ\u180b',
  'an ideographic variant': '葛\u{e0100}',
  'a variant of an operator': '∩\ufe00',
  'an unassigned character': '\u{1fbfe}',
  'a character for private use': '\ue000',
};

/** Characters that could carry a message that people do not see, wherever they stand. */
const HIDDEN = fc.constantFrom(
  ...'\u00ad\u034f\u061c\u115f\u1160\u17b4\u200b\u200e\u200f\u202a\u202e\u2060\u2063\u2066\u2069\u206f\u3164\ufeff\uffa0\u{1d173}\u{e0001}\u{e0041}\u{e007f}\u{e0fff}\0\u0008\u001b\u007f\u009f\uffff',
);

const nothing = fc.array(fc.constantFrom(...Object.values(NOTHING))).map((parts) => parts.join(''));
const visible = fc.constantFrom(...Object.values(TEXTS));
const mixed = fc
  .array(fc.oneof(visible, HIDDEN, nothing, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''));

test.each(Object.entries(NOTHING))('sees nothing in %s', (_, text) => {
  expect(hasVisibleText(text)).toBe(false);
});

test.each(Object.entries(TEXTS))('sees and keeps %s', (_, text) => {
  expect(hasVisibleText(text)).toBe(true);
  expect(withoutInvisibleText(text)).toBe(text);
  expect(withoutInvisibleText(`a ${text} b\n`)).toBe(`a ${text} b\n`);
});

test('sees a text among any number of invisible characters, and nothing in those alone', () => {
  fc.assert(
    fc.property(nothing, visible, nothing, (before, text, after) => {
      expect(hasVisibleText(before + after)).toBe(false);
      expect(hasVisibleText(before + text + after)).toBe(true);
    }),
  );
});

test.each([
  ['a message in tags', 'Hello\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}', 'Hello'],
  ['a message in tags on a flag', '🏴\u{e0049}\u{e0067}\u{e006e}\u{e007f}', '🏴'],
  ['tags after a flag', `${TEXTS['a flag of tags']}\u{e0049}\u{e007f}`, TEXTS['a flag of tags']],
  ['variation selectors on an emoji', '😀\ufe0f\ufe01\ufe02\u{e0110}\u{e0152}', '😀\ufe0f'],
  ['variation selectors on a letter', 'a\ufe0f\ufe00\u{e0100}', 'a'],
  ['joiners between Latin letters', 'pay\u200cout\u200d', 'payout'],
  ['several joiners between Arabic letters', 'می\u200c\u200d\u200c\u200dخ', 'می\u200cخ'],
  ['joiners without letters', ' \u200d\u200c ', '  '],
  ['a joiner after an emoji', '😀\u200d.', '😀.'],
  ['bidi controls', 'a\u202eb\u2066c\u200f', 'abc'],
  ['escape sequences', '\u001b[8mhidden\u001b[0m', '[8mhidden[0m'],
])('removes %s', (_, text, rest) => {
  expect(withoutInvisibleText(text)).toBe(rest);
});

test('removes hidden characters wherever they stand, and no visible one', () => {
  const flags = TEXTS['a flag of tags'];
  const shown = (text: string) => text.replace(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '');
  fc.assert(
    fc.property(mixed, HIDDEN, (text, hidden) => {
      const rest = withoutInvisibleText(text);
      expect(shown(rest)).toBe(shown(text));
      expect(withoutInvisibleText(rest)).toBe(rest);
      expect(rest.replaceAll(flags, '')).not.toContain(hidden);
    }),
    { numRuns: 1000 },
  );
});

test('removes bidi controls, and no other character', () => {
  expect(
    withoutBidiControls(
      'invoice\u202egnp.exe\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069',
    ),
  ).toBe('invoicegnp.exe');
  for (const text of ['שלום', 'می\u200cخواهم', TEXTS['a family']])
    expect(withoutBidiControls(text)).toBe(text);
});

test.each([
  ['line breaks', 'a\r\nb\nc\rd', 'a b c d'],
  ['breaks of other standards', 'a\u2028b\u2029c\u0085d\ve\ff', 'a b c d e f'],
  ['tabs and control characters', 'a\t\0b\u001b', 'a b'],
  ['blanks at the ends and in the middle', '  a \u00a0 b\u3000', 'a b'],
  ['a bidi control', 'statement\u202egnp.png', 'statementgnp.png'],
  ['blanks', ' \n ', ''],
  ['what nobody sees', ' \u200b\u3164 ', ''],
])('makes one line of %s', (_, text, line) => {
  expect(oneLine(text)).toBe(line);
});

test('a text of one line has no line break and stays as it is', () => {
  fc.assert(
    fc.property(mixed, (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]|^\s|\s$|\s\s/u);
      expect(oneLine(line)).toBe(line);
      expect(hasVisibleText(line)).toBe(hasVisibleText(text));
    }),
  );
});

test('reads a long text once', () => {
  for (const unit of [' ', '\u200d', '\u0301', '😀\u200d', '\u{e0041}', 'ه\u200d', '🏴\u{e0067}', '\ufe0f']) {
    const text = unit.repeat(1_000_000 / unit.length);
    const start = performance.now();
    hasVisibleText(text);
    withoutInvisibleText(text);
    oneLine(text);
    expect(performance.now() - start).toBeLessThan(5_000);
  }
});
