import { onlyOrientation } from './orientation.ts';
import { clearRest, clearUntil, keep, keepUntil, read, replace, type Steps } from './rewrite-content.ts';

const MARK = 0xff;
const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;
const EXIF = 0xe1;
const COMMENT = 0xfe;

/** The application segments that decoders need, by what they begin with. */
const KEPT: Readonly<Record<number, string>> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' };

/**
 * A JPEG image without its metadata: application segments and comments are cleared but for the colour profile and the orientation, and so is what
 * follows the image, which can be a second image or a film.
 */
export function* jpegSteps(): Steps {
  yield keep(2);
  let isInScan = false;
  for (;;) {
    // Between segments, decoders skip what is no mark.
    yield isInScan ? keepUntil(MARK) : clearUntil(MARK);
    let marker: number;
    do marker = (yield read(1))[0]!;
    while (marker === MARK);
    if (marker === END_OF_IMAGE) break;
    // A byte of the scan that looks like a mark, and marks without a length.
    if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd8)) continue;
    const length = (yield read(2)).readUInt16BE();
    const content = Math.max(0, length - 2);
    if ((marker >= 0xe0 && marker <= 0xef) || marker === COMMENT)
      yield replace(content, (segment) => withoutMetadata(marker, segment));
    else yield keep(content);
    isInScan = marker === START_OF_SCAN;
  }
  yield clearRest;
}

function withoutMetadata(marker: number, segment: Buffer): Buffer {
  const isNamed = (name: string) => segment.toString('latin1', 0, name.length) === name;
  if (marker === EXIF && isNamed('Exif\0')) return onlyOrientation(segment, 6);
  const kept = KEPT[marker];
  return kept !== undefined && isNamed(kept) ? segment : Buffer.alloc(segment.length);
}
