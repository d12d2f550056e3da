/** The types of pictures that the gateway serves, each with what its content begins with. AVIF is recognized by {@link isAvif}. */
const signatures = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
  // Comments may come first, and a document type without declarations of its own, which could define entities.
  'image/svg+xml':
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^<>]*\?>\s*)?(?:<!--(?:(?!--).)*-->\s*)*(?:<!DOCTYPE\s+svg\b[^<>[\]]*>\s*)?(?:<!--(?:(?!--).)*-->\s*)*<svg[\s>]/s,
} as const;

export type ImageType = keyof typeof signatures | 'image/avif';

/** The number of bytes that are searched for a signature. */
const HEAD_BYTES = 4_096;

/** Returns the type of a picture by its first bytes; null if it is none of those that the gateway serves. */
export function imageType(content: Buffer): ImageType | null {
  if (isAvif(content.subarray(0, HEAD_BYTES))) return 'image/avif';
  const head = content.toString('latin1', 0, HEAD_BYTES);
  const found = Object.entries(signatures).find(([, signature]) => signature.test(head));
  return (found?.[0] as ImageType) ?? null;
}

/** Returns whether a content begins with a box `ftyp` that has a brand of AVIF, as its own or a compatible one (ISO/IEC 23000-22). */
function isAvif(head: Buffer): boolean {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return false;
  const end = Math.min(head.readUInt32BE(), head.length);
  // The second word is the version of the own brand.
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4)
    if (/^avi[fs]$/.test(head.toString('latin1', at, at + 4))) return true;
  return false;
}
