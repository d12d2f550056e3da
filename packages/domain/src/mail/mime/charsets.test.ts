import fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { decodeText } from './charsets.ts';
import { decodeWords } from './encoded-words.ts';
import { unflow } from './flowed.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

const visible = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.toWellFormed());

test('decodes what is encoded as declared', () => {
  const characters: Record<string, string> = {
    'utf-8': 'aß€語😀',
    'iso-8859-2': 'aąśž',
    'koi8-r': 'aПри',
    shift_jis: 'a語①ｱ',
    'euc-kr': 'a가똠',
    gb18030: 'a语㐀',
    'utf-16le': 'aß語',
    'utf-7': 'aß語+',
    cp437: 'aßé',
  };
  for (const [charset, alphabet] of Object.entries(characters)) {
    const text = fc.array(fc.constantFrom(...alphabet), { maxLength: 40 }).map((list) => list.join(''));
    fc.assert(
      fc.property(text, (text) => {
        expect(decodeText(iconv.encode(text, charset), charset)).toBe(text);
      }),
      { numRuns: 100, seed: 38 },
    );
  }
});

test('decodes any bytes under any name', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.string(), fc.boolean(), (bytes, name, isHtml) => {
      expect(typeof decodeText(bytes, name, isHtml)).toBe('string');
    }),
    { numRuns: 1_000, seed: 38 },
  );
});

test('keeps the text of UTF-8 around a byte that is none', () => {
  const word = fc.stringMatching(/^[äöü€語]{3,10}$/);
  fc.assert(
    fc.property(word, word, (before, after) => {
      const bytes = Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)]);
      expect(decodeText(bytes, 'utf-8')).toBe(`${before}\ufffd${after}`);
    }),
    { numRuns: 200, seed: 38 },
  );
});

test('decodes encoded words of UTF-8 that are divided anywhere', () => {
  fc.assert(
    fc.property(visible, fc.integer({ min: 1, max: 40 }), (text, size) => {
      const bytes = Buffer.from(text);
      const words: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        words.push(`=?utf-8?B?${bytes.subarray(at, at + size).toString('base64')}?=`);
      }
      const decoded = decodeWords(words.join('\r\n '));
      // A text that begins with a byte order mark loses it.
      if (!text.startsWith('\ufeff')) expect(decoded).toBe(text);
    }),
    { numRuns: 300, seed: 38 },
  );
});

test('decodes transfer encodings with what was added on the way', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const lines = Buffer.from(bytes).toString('base64').replace(/.{8}/g, '$& \r\n');
      expect([...decodeBase64(Buffer.from(lines))]).toEqual([...bytes]);
      const quoted = [...bytes].map((byte) => `=${byte.toString(16).padStart(2, '0')}= \t\r\n`).join('');
      expect([...decodeQuotedPrintable(Buffer.from(quoted))]).toEqual([...bytes]);
    }),
    { numRuns: 300, seed: 38 },
  );
});

test('joins flowed lines that were divided at spaces', () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 3 }), (words, depth) => {
      const mark = '>'.repeat(depth);
      const quoted = words.map((word) => `${mark} ${word}`).join(' \r\n');
      expect(unflow(quoted, false)).toBe(`${mark}${depth > 0 ? ' ' : ''}${words.join(' ')}`);
    }),
    { numRuns: 300, seed: 38 },
  );
});
