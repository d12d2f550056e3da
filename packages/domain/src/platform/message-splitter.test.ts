import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageSplitter } from './message-splitter.ts';
import { dataRowOf } from './testing/data-row.ts';

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

/** What a splitter passes on: the texts of a row, and the bytes of other messages. */
type Seen = { row: (string | null)[] } | number;

const row = fc.array(fc.option(fc.string()), { maxLength: 3 }).map((texts) => {
  const { bytes } = dataRowOf(texts);
  return { bytes: message('D', bytes), seen: [{ row: texts }] as Seen[] };
});
const other = fc.uint8Array({ maxLength: 20 }).map((body) => {
  const bytes = message('C', Buffer.from(body));
  return { bytes, seen: [...bytes] as Seen[] };
});

test('separates rows from other messages, wherever chunks begin and end', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(row, other), { maxLength: 20 }),
      fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 10 }),
      (messages, sizes) => {
        const stream = Buffer.concat(messages.map(({ bytes }) => bytes));
        const seen: Seen[] = [];
        const splitter = new MessageSplitter(
          ({ fields }) => seen.push({ row: fields }),
          (bytes) => {
            expectComplete(bytes);
            seen.push(...bytes);
          },
        );
        for (let at = 0, i = 0; at < stream.length; i++) {
          const size = sizes[i % sizes.length]! + 1;
          splitter.read(stream.subarray(at, at + size));
          at += size;
        }
        expect(seen).toEqual(messages.flatMap((one) => one.seen));
      },
    ),
  );
});

function expectComplete(messages: Buffer): void {
  let at = 0;
  while (at < messages.length) at += 1 + messages.readUInt32BE(at + 1);
  expect(at).toBe(messages.length);
}
