/** A part has more bytes than this, except the last one. */
const PART_BYTES = 65_536;

/**
 * Yields a content in parts that are joined of its chunks. Of a message, the library makes a chunk of each line that begins with a dot, and a chunk
 * takes a hundred bytes beside its content.
 */
export async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes <= PART_BYTES) continue;
    yield Buffer.concat(held, bytes);
    [held, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
