import { ApiError } from '../process/errors.ts';

/**
 * What happens to the next bytes of a content. No step changes how many there are, so that a content is changed while it arrives. Bytes that
 * are cleared become zero.
 */
export type Step =
  | { do: 'keep' | 'clear'; bytes: number }
  /** Ends before the next byte of this value. */
  | { do: 'keep' | 'clear'; until: number }
  /** Replaces the bytes by as many others. Gets fewer if the content ends. The result of the step is what they were. */
  | { do: 'replace'; bytes: number; by: (content: Buffer) => Buffer };

/** The steps through a content, decided by what was read. What follows the last one is kept. */
export type Steps = Generator<Step, void, Buffer>;

/** The most that one step replaces: it is in memory meanwhile. */
export const MAX_REPLACED_BYTES = 1_048_576;

/** The most steps through a content. The largest images of encoders need half of them; more would keep a process busy for seconds. */
const MAX_STEPS = 500_000;

export const keep = (bytes: number): Step => ({ do: 'keep', bytes });
export const clear = (bytes: number): Step => ({ do: 'clear', bytes });
export const keepUntil = (byte: number): Step => ({ do: 'keep', until: byte });
export const clearUntil = (byte: number): Step => ({ do: 'clear', until: byte });
export const replace = (bytes: number, by: (content: Buffer) => Buffer): Step => ({
  do: 'replace',
  bytes,
  by,
});
export const read = (bytes: number): Step => replace(bytes, (content) => content);
export const clearRest: Step = clear(Number.POSITIVE_INFINITY);
const keepRest: Step = keep(Number.POSITIVE_INFINITY);

/** Yields a content as the steps change it. Its chunks are changed in place. Throws `unsupported_media_type` if it has too many parts. */
export async function* rewriteContent(steps: Steps, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let step = keepRest;
  let left = 0;
  let taken = 0;
  const advance = (result: Buffer) => {
    if (++taken > MAX_STEPS)
      throw new ApiError('unsupported_media_type', {
        message: 'The image has too many small parts. Save it again with another program.',
      });
    const next = steps.next(result);
    step = next.done ? keepRest : next.value;
    left = 'bytes' in step ? step.bytes : Number.POSITIVE_INFINITY;
  };
  advance(Buffer.alloc(0));
  /** The first of the bytes that are replaced when the others have arrived. */
  let held: Buffer[] = [];
  let missing = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    missing -= chunk.length;
    if (missing > 0) continue;
    const content = held.length === 1 ? chunk : Buffer.concat(held);
    let at = 0;
    for (;;) {
      const available = content.length - at;
      if (step.do === 'replace') {
        if (available < left) break;
        const part = content.subarray(at, at + left);
        const before = Buffer.from(part);
        step.by(before).copy(part);
        at += part.length;
        advance(before);
        continue;
      }
      const found = 'until' in step ? content.indexOf(step.until, at) - at : left;
      const isOver = found >= 0 && found <= available;
      const count = isOver ? found : available;
      if (step.do === 'clear') content.fill(0, at, at + count);
      at += count;
      left -= count;
      if (!isOver) break;
      advance(content.subarray(at, at));
    }
    held = [content.subarray(at)];
    missing = step.do === 'replace' ? left - (content.length - at) : 0;
    if (at > 0) yield content.subarray(0, at);
  }
  const rest = Buffer.concat(held);
  if (rest.length > 0) yield step.do === 'replace' ? step.by(rest) : rest;
}
