/** The first bytes of a TIFF structure: its byte order, and 42 in it. */
const TIFF_MARKS = { II: 'LE', MM: 'BE' } as const;
const ORIENTATION_TAG = 0x0112;
const SHORT = 3;
const ENTRY_BYTES = 12;
/** A header, and a directory of one entry. */
const SMALLEST_BYTES = 8 + 2 + ENTRY_BYTES + 4;

/**
 * Returns Exif data of the same length that has only the orientation of the image: no position, no camera, no thumbnail. `start` is where its TIFF
 * structure begins; before it, the data is kept.
 */
export function onlyOrientation(exif: Buffer, start = tiffStart(exif)): Buffer {
  const result = Buffer.alloc(exif.length);
  exif.copy(result, 0, 0, start);
  if (exif.length < start + SMALLEST_BYTES) return result;
  const tiff = result.subarray(start);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(ORIENTATION_TAG, 10);
  tiff.writeUInt16LE(SHORT, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(readOrientation(exif.subarray(start)), 18);
  return result;
}

/** Exif data is a TIFF structure, in some formats after this name. */
function tiffStart(exif: Buffer): number {
  return exif.subarray(0, 6).equals(Buffer.from('Exif\0\0')) ? 6 : 0;
}

/** Returns the orientation in the first directory of a TIFF structure; 1, upright, if it has none. */
function readOrientation(tiff: Buffer): number {
  const order = TIFF_MARKS[tiff.toString('latin1', 0, 2) as keyof typeof TIFF_MARKS];
  if (order === undefined) return 1;
  const short = (at: number) => (at + 2 <= tiff.length ? tiff[`readUInt16${order}`](at) : 0);
  const directory = tiff.length >= 8 ? tiff[`readUInt32${order}`](4) : 0;
  const count = short(directory);
  for (let at = directory + 2, n = 0; n < count && at < tiff.length; at += ENTRY_BYTES, n++) {
    if (short(at) !== ORIENTATION_TAG) continue;
    const value = short(at + 8);
    return short(at + 2) === SHORT && value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
