import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonChunks } from './json-chunks.ts';

/** Texts with the characters that JSON escapes, some of them longer than a chunk. */
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', 'x', 'é', '\u{1F600}'),
    maxLength: 40,
  }),
  fc.constantFrom('"'.repeat(100_000), 'é'.repeat(300_000)),
);

test('writes a part of bytes as a JSON string', () => {
  fc.assert(
    fc.property(fc.array(texts, { maxLength: 5 }), (list) => {
      const json = new JsonChunks();
      for (const text of list) {
        const bytes = Buffer.from(`a${text}b`);
        json.string(bytes, 1, bytes.length - 1);
      }
      expect(Buffer.concat(json.end()).toString()).toBe(list.map((text) => JSON.stringify(text)).join(''));
    }),
  );
});

test('returns what was appended since the mark, also in several chunks', () => {
  fc.assert(
    fc.property(texts, fc.array(texts, { maxLength: 5 }), texts, (before, marked, after) => {
      const json = new JsonChunks();
      json.text(before);
      json.mark();
      for (const text of marked) json.bytes(Buffer.from(text));
      const since = json.sinceMark();
      json.text(after);
      expect(Buffer.from(since).toString()).toBe(marked.join(''));
      expect(Buffer.concat(json.end()).toString()).toBe([before, ...marked, after].join(''));
    }),
  );
});
