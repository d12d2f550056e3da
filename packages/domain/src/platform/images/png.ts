import { crc32 } from 'node:zlib';
import { onlyOrientation } from './orientation.ts';
import { clear, clearRest, keep, MAX_REPLACED_BYTES, replace, type Steps } from './rewrite-content.ts';

/** The chunks that decoders need, those of animations included. */
const KEPT = new Set(
  'IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);
/** The type of a chunk that is cleared: private, and skipped by every decoder. */
const EMPTY = 'emPt';
/** A name whose letters say what kind of chunk it is. The third one is a capital. */
const TYPE = /^[A-Za-z]{2}[A-Z][A-Za-z]$/;
const MAX_LENGTH = 0x7fff_ffff;
const ZEROS = Buffer.alloc(65_536);

/** A PNG image without its metadata: other chunks than those of the picture are cleared, and what follows the last one. */
export function* pngSteps(): Steps {
  yield keep(8);
  for (let isFirst = true; ; isFirst = false) {
    const head = yield replace(8, withKnownType);
    const length = head.readUInt32BE();
    const type = head.toString('latin1', 4);
    // Not an image that a decoder reads further.
    if (length > MAX_LENGTH || !TYPE.test(type) || (isFirst && type !== 'IHDR')) return;
    if (type === 'eXIf') {
      const held = Math.min(length, MAX_REPLACED_BYTES);
      const exif = yield replace(held, onlyOrientation);
      yield clear(length - held);
      yield replace(4, writeCrc(crc32(onlyOrientation(exif), crc32(type)), length - held));
    } else if (KEPT.has(type)) yield keep(length + 4);
    else {
      yield clear(length);
      yield replace(4, writeCrc(crc32(EMPTY), length));
    }
    if (type === 'IEND') break;
  }
  yield clearRest;
}

/** Renames a chunk that is cleared. What is no chunk remains. */
function withKnownType(head: Buffer): Buffer {
  const type = head.toString('latin1', 4);
  const isCleared =
    TYPE.test(type) && type !== 'eXIf' && !KEPT.has(type) && head.readUInt32BE() <= MAX_LENGTH;
  return isCleared ? Buffer.concat([head.subarray(0, 4), Buffer.from(EMPTY)]) : head;
}

/** Continues a checksum by zeros, and returns what writes it. */
function writeCrc(crc: number, zeros: number): (content: Buffer) => Buffer {
  let value = crc;
  for (let left = zeros; left > 0; left -= ZEROS.length) value = crc32(ZEROS.subarray(0, left), value);
  const written = Buffer.alloc(4);
  written.writeUInt32BE(value);
  return (content) => written.subarray(0, content.length);
}
