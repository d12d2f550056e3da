import { ApiError } from '../process/errors.ts';
import { findMetadata, type Metadata } from './avif-items.ts';
import { onlyOrientation } from './orientation.ts';
import { clear, keep, MAX_REPLACED_BYTES, read, replace, type Steps } from './rewrite-content.ts';

/** Boxes of an animation that contain boxes which decoders need. The others in it are kept or cleared whole. */
const CONTAINERS = new Set(['moov', 'trak']);
const KEPT_AT_TOP = new Set(['ftyp', 'mdat']);
const CLEARED_IN_MOVIE = new Set(['udta', 'meta', 'uuid', 'free', 'skip']);
/** The type of a box that is cleared: every reader skips it. */
const EMPTY = Buffer.from('free');

/**
 * An AVIF image without its metadata: items that are no pictures are cleared, and boxes that decoders do not need. Throws `unsupported_media_type` if
 * the list of its items is not before them, or is longer than any encoder writes.
 */
export function* avifSteps(): Steps {
  let at = 0;
  let movieEnd = 0;
  /** What is cleared of the data that follows, the last part first; null before the list of items, of which a file has one. */
  let metadata: Metadata[] | null = null;
  for (;;) {
    const isInMovie = at < movieEnd;
    const decide = (type: string) => {
      if (CONTAINERS.has(type)) return 'enter';
      if (isInMovie) return CLEARED_IN_MOVIE.has(type) ? 'clear' : 'keep';
      return type === 'meta' ? 'items' : KEPT_AT_TOP.has(type) ? 'keep' : 'clear';
    };
    const head = yield replace(8, (head) =>
      decide(head.toString('latin1', 4)) === 'clear' && head.length === 8
        ? Buffer.concat([head.subarray(0, 4), EMPTY])
        : head,
    );
    let size = head.readUInt32BE();
    let headBytes = 8;
    const type = head.toString('latin1', 4);
    if (size === 1) {
      size = Number((yield read(8)).readBigUInt64BE());
      headBytes = 16;
    }
    const length = size === 0 ? Number.POSITIVE_INFINITY : size - headBytes;
    // Not an image that a decoder reads further.
    if (length < 0) return;
    const start = at + headBytes;
    at = start + length;
    const decision = decide(type);
    if (decision === 'enter') {
      if (type === 'moov') movieEnd = at;
      at = start;
    } else if (decision === 'items') {
      if (length > MAX_REPLACED_BYTES || metadata) throw unreadable();
      const inData = findMetadata(yield replace(length, withoutMetadata)).filter(({ isInBox }) => !isInBox);
      if (inData.some(({ from }) => from < start)) throw unreadable();
      metadata = inData.sort((a, b) => b.from - a.from);
    } else if (type === 'mdat' && !isInMovie) yield* data(start, at, metadata ?? []);
    else yield decision === 'clear' ? clear(length) : keep(length);
  }
}

/** Clears the metadata that is in the box of items itself. */
function withoutMetadata(box: Buffer): Buffer {
  const result = Buffer.from(box);
  const parts = findMetadata(box).filter(({ isInBox }) => isInBox);
  let at = 0;
  // Parts can overlap.
  for (const { from, to } of parts.sort((a, b) => a.from - b.from)) {
    if (to > at) result.fill(0, Math.max(from, at), to);
    at = Math.max(at, to);
  }
  return result;
}

/**
 * The data between two places of the file. Removes the parts that end there from `metadata`: a file can have millions of boxes of data, and
 * each part is looked at for one of them.
 */
function* data(start: number, end: number, metadata: Metadata[]): Steps {
  let at = start;
  for (let part = metadata.at(-1); part && part.from < end; part = metadata.at(-1)) {
    const begin = Math.max(part.from, at);
    const stop = Math.min(part.to, end);
    if (begin < stop) {
      yield keep(begin - at);
      const held = part.isExif ? Math.min(stop - begin, MAX_REPLACED_BYTES) : 0;
      yield replace(held, withOrientation);
      yield clear(stop - begin - held);
      at = stop;
    }
    if (part.to > end) break;
    metadata.pop();
  }
  yield keep(end - at);
}

/** The Exif item begins with the number of bytes before its TIFF structure. */
function withOrientation(item: Buffer): Buffer {
  const start = item.length >= 4 ? 4 + item.readUInt32BE() : 0;
  if (start < 4 || start > item.length) return Buffer.alloc(item.length);
  const result = onlyOrientation(item, start);
  result.fill(0, 4, start);
  return result;
}

function unreadable(): ApiError {
  return new ApiError('unsupported_media_type', {
    message:
      'The list of the parts of an AVIF image must precede them, and have at most 1 MiB. Save the image again.',
  });
}
