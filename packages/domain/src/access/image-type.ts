/** The types of pictures that the gateway serves, each with what its content begins with. */
const signatures = {
  'image/png': /^\x89PNG\r\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF.{4}WEBP/s,
  'image/avif': /^.{4}ftypavi[fs]/s,
  // After comments, and a document type without declarations of its own: those could define entities.
  'image/svg+xml':
    /^(?:\xef\xbb\xbf)?\s*(?:<\?xml\s[^<>]*\?>\s*)?(?:<!--(?:(?!--).)*-->\s*)*(?:<!DOCTYPE\s+svg\b[^<>[\]]*>\s*)?(?:<!--(?:(?!--).)*-->\s*)*<svg[\s>]/s,
} as const;

export type ImageType = keyof typeof signatures;

/** The number of bytes that are searched for a signature. */
const HEAD_BYTES = 4_096;

/** Returns the type of a picture by its first bytes; null if it is none of those that the gateway serves. */
export function imageType(content: Buffer): ImageType | null {
  const head = content.toString('latin1', 0, HEAD_BYTES);
  const found = Object.entries(signatures).find(([, signature]) => signature.test(head));
  return (found?.[0] as ImageType) ?? null;
}
