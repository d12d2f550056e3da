import { avifSteps } from './avif.ts';
import { gifSteps } from './gif.ts';
import { jpegSteps } from './jpeg.ts';
import { pngSteps } from './png.ts';
import { rewriteContent, type Steps } from './rewrite-content.ts';
import { webpSteps } from './webp.ts';

/** The types of images whose metadata is removed. */
const stepsOf: Readonly<Record<string, () => Steps>> = {
  'image/jpeg': jpegSteps,
  'image/png': pngSteps,
  'image/webp': webpSteps,
  'image/gif': gifSteps,
  'image/avif': avifSteps,
};

/**
 * Yields an image without what tells where, when, by whom and with which camera it was made. The picture, its colour profile and its orientation are kept
 * as they are, and so is the number of bytes: metadata becomes zeros. Contents of other types are kept. Throws `unsupported_media_type` for an AVIF
 * image whose parts are in an order that no encoder writes.
 */
export function stripMetadata(type: string, chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const steps = stepsOf[type];
  return steps ? rewriteContent(steps(), chunks) : chunks;
}
