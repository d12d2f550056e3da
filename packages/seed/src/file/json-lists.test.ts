import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonListsError, ListsScanner } from './json-lists.ts';

const MAX = 1_000;

/** Scans a document in pieces of a given size. */
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

test('finds the records of every list, wherever the input is cut', () => {
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

test('reports and skips members that are not lists', () => {
  const { found, others } = scan('\ufeff{"a":{"x":["}"]},"b":[1,true],"c":"[","d":-1.5e3,"e":null}', 3);
  expect(found).toMatchObject([{ name: 'b', records: [1, true] }]);
  expect(others).toEqual(['a', 'c', 'd', 'e']);
});

test.each([
  ['', 0, 'expected an object, but the file ends'],
  ['[]', 0, 'expected an object, found "["'],
  ['{', 1, 'expected a name or }, but the file ends'],
  ['{"a"', 4, 'expected a colon, but the file ends'],
  ['{"a",', 4, 'expected a colon, found ","'],
  ['{"a":', 5, 'expected a value, but the file ends'],
  ['{"a":}', 5, 'expected a value, found "}"'],
  ['{"a":[}', 6, 'expected a record or ], found "}"'],
  ['{"a":[1,]}', 8, 'expected a record, found "]"'],
  ['{"a":[1 2]}', 8, 'expected a comma or ], found "2"'],
  ['{"a":[]]', 7, 'expected a comma or }, found "]"'],
  ['{"a":[],}', 8, 'expected a name, found "}"'],
  ['{"a":[[1]', 9, 'expected a comma or ], but the file ends'],
  ['{"a":["x', 8, 'expected a record or ], but the file ends'],
  ['{a:1}', 1, 'expected a name or }, found "a"'],
  ['{"\\u12":[]}', 1, 'expected a valid string'],
  ['{"a":[]} x', 9, 'expected the end of the file, found "x"'],
  [`{"a":["${'x'.repeat(MAX)}"]}`, 6, `a record must have at most ${MAX} bytes`],
])('rejects %s', (text, offset, message) => {
  for (const pieceSize of [1, 7, 4096]) {
    const refused = () => scan(text, pieceSize);
    expect(refused).toThrow(JsonListsError);
    expect(refused).toThrow(expect.objectContaining({ message }));
    // For a record that is too long, the offset is that of the piece with its end.
    if (text.length < MAX) expect(refused).toThrow(expect.objectContaining({ offset }));
  }
});
