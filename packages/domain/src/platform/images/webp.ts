import { onlyOrientation } from './orientation.ts';
import { clear, clearRest, keep, MAX_REPLACED_BYTES, read, replace, type Steps } from './rewrite-content.ts';

/** The chunks that decoders need. */
const KEPT = new Set(['VP8 ', 'VP8L', 'ANIM', 'ALPH', 'ICCP']);
/** The type of a chunk that is cleared, as in all RIFF files. */
const EMPTY = 'JUNK';
const CHUNKS_OF_FRAME_AT = 16;
const HAS_XMP = 0x04;

/** A WebP image without its metadata: other chunks than those of the picture are cleared, and what follows them. */
export function* webpSteps(): Steps {
  const head = yield read(12);
  let left = head.readUInt32LE(4) - 4;
  while (left > 0) {
    const chunk = yield replace(8, withKnownType);
    const type = chunk.toString('latin1', 0, 4);
    const length = chunk.readUInt32LE(4);
    const padded = length + (length % 2);
    left -= 8;
    if (type === 'ANMF') {
      // The chunks of a frame of an animation follow, as if they were the file's.
      yield keep(CHUNKS_OF_FRAME_AT);
      left -= CHUNKS_OF_FRAME_AT;
      continue;
    }
    left -= padded;
    if (type === 'VP8X') {
      yield replace(1, ([flags]) => Buffer.from([flags! & ~HAS_XMP]));
      yield keep(padded - 1);
    } else if (type === 'EXIF') {
      const held = Math.min(length, MAX_REPLACED_BYTES);
      yield replace(held, onlyOrientation);
      yield clear(padded - held);
    } else yield KEPT.has(type) ? keep(padded) : clear(padded);
  }
  yield clearRest;
}

/** Renames a chunk that is cleared. */
function withKnownType(chunk: Buffer): Buffer {
  const type = chunk.toString('latin1', 0, 4);
  const isKept = KEPT.has(type) || type === 'ANMF' || type === 'VP8X' || type === 'EXIF' || chunk.length < 8;
  return isKept ? chunk : Buffer.concat([Buffer.from(EMPTY), chunk.subarray(4)]);
}
