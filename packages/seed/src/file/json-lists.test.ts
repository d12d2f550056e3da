import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonListsError, ListsScanner } from './json-lists.ts';

const MAX = 1_000;

/** What is found in a document that arrives in pieces of a size. */
function scan(text: string, pieceSize: number) {
  const bytes = Buffer.from(text);
  const found: { name: string; records: unknown[]; range: string }[] = [];
  const others: string[] = [];
  let start = 0;
  const scanner = new ListsScanner(
    {
      list(name, offset) {
        start = offset;
        found.push({ name, records: [], range: '' });
      },
      listEnd(offset) {
        found.at(-1)!.range = bytes.subarray(start, offset).toString();
      },
      other: (name) => void others.push(name),
      record: (record) => void found.at(-1)!.records.push(JSON.parse(record.toString())),
    },
    MAX,
  );
  for (let at = 0; at < bytes.length; at += pieceSize)
    scanner.push(Buffer.from(bytes.subarray(at, at + pieceSize)));
  scanner.end();
  return { found, others };
}

const record = fc.oneof(
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
  fc.string({ unit: 'grapheme' }),
);
const lists = fc.uniqueArray(
  fc.tuple(fc.string({ unit: 'grapheme', maxLength: 10 }), fc.array(record, { maxLength: 5 })),
  {
    selector: ([name]) => name,
    maxLength: 4,
  },
);
const space = fc.constantFrom(undefined, 1, '\t');

test('finds the records of every list, wherever the pieces of the document are cut', () => {
  fc.assert(
    fc.property(lists, space, fc.integer({ min: 1, max: 40 }), (lists, space, pieceSize) => {
      const text = `{${lists.map(([name, records]) => `${JSON.stringify(name)}: ${JSON.stringify(records, null, space)}`).join(' ,\r\n')}}`;
      fc.pre(text.length < MAX);
      const { found, others } = scan(text, pieceSize);
      expect(found.map(({ name, records }) => [name, records])).toEqual(
        lists.map(([name, records]) => [name, JSON.parse(JSON.stringify(records))]),
      );
      expect(found.map(({ range }) => JSON.parse(`[${range}`))).toEqual(found.map(({ records }) => records));
      expect(others).toEqual([]);
    }),
  );
});

test('tells what is no list, and passes over it', () => {
  const { found, others } = scan('\ufeff{"a":{"x":["}"]},"b":[1,true],"c":"[","d":-1.5e3,"e":null}', 3);
  expect(found).toMatchObject([{ name: 'b', records: [1, true] }]);
  expect(others).toEqual(['a', 'c', 'd', 'e']);
});

test.each([
  ['', 0, 'the file ends where an object should stand'],
  ['[]', 0, '"[" stands where an object should'],
  ['{', 1, 'the file ends where a name or } should stand'],
  ['{"a"', 4, 'the file ends where a colon should stand'],
  ['{"a",', 4, '"," stands where a colon should'],
  ['{"a":', 5, 'the file ends where a value should stand'],
  ['{"a":}', 5, '"}" stands where a value should'],
  ['{"a":[}', 6, '"}" stands where a record or ] should'],
  ['{"a":[1,]}', 8, '"]" stands where a record should'],
  ['{"a":[1 2]}', 8, '"2" stands where a comma or ] should'],
  ['{"a":[]]', 7, '"]" stands where a comma or } should'],
  ['{"a":[],}', 8, '"}" stands where a name should'],
  ['{"a":[[1]', 9, 'the file ends where a comma or ] should stand'],
  ['{"a":["x', 8, 'the file ends where a record or ] should stand'],
  ['{a:1}', 1, '"a" stands where a name or } should'],
  ['{"\\u12":[]}', 1, 'this is no name'],
  ['{"a":[]} x', 9, '"x" stands where nothing more should'],
  [`{"a":["${'x'.repeat(MAX)}"]}`, 6, `a record is longer than ${MAX} bytes`],
])('refuses %s', (text, offset, message) => {
  for (const pieceSize of [1, 7, 4096]) {
    const refused = () => scan(text, pieceSize);
    expect(refused).toThrow(JsonListsError);
    expect(refused).toThrow(expect.objectContaining({ message }));
    // A record that is too long shows where the piece with its end begins.
    if (text.length < MAX) expect(refused).toThrow(expect.objectContaining({ offset }));
  }
});
