import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { inParts } from './in-parts.ts';

test.each([0, 3, 65_536, 65_537, 200_000])('chunks of %i bytes are joined to few parts', async (size) => {
  const content = Buffer.alloc(600_000, 'line\r\n.');
  const chunks: Buffer[] = [];
  if (size === 0) chunks.push(Buffer.alloc(0));
  else for (let at = 0; at < content.length; at += size) chunks.push(content.subarray(at, at + size));
  const parts: Buffer[] = [];
  for await (const part of inParts(Readable.from(chunks))) parts.push(part);
  expect(parts.length).toBeLessThan(11);
  expect(Buffer.concat(parts).equals(size === 0 ? Buffer.alloc(0) : content)).toBe(true);
});
