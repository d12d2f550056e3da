import type { Metadata } from 'sharp';
import { FairSemaphore } from '../process/fair-semaphore.ts';

/** A small file can contain an image that takes minutes to decode. Usual cameras of phones stay below this. */
const MAX_PIXELS = 50_000_000;
/** What decoding one image may take. */
const MAX_DECODED_BYTES = 200_000_000;
const TIMEOUT_SECONDS = 10;
/** How many images a process decodes at once. Each is in memory until it is shrunk. */
const CONCURRENT = 2;

/** Whoever shrinks an image takes a place here, by firm, before the image is read. */
export const imageSlots = new FairSemaphore(CONCURRENT);

/**
 * Returns an image that fits into a box, upright and without metadata. Of an animation, the first picture. Throws for a content that is no image, is
 * damaged, or takes too much memory or time.
 */
export async function shrinkImage(
  image: Buffer,
  { width, height }: { width: number; height: number },
  type: 'webp' | 'png',
): Promise<Buffer> {
  const sharp = await loadSharp();
  const input = sharp(image, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
  const metadata = await input.metadata();
  const bytes = decodedBytes(metadata);
  if (bytes > MAX_DECODED_BYTES)
    throw new TypeError(`decoding would take ${Math.round(bytes / 1_000_000)} MB of memory`);
  const { orientation } = metadata;
  // A picture that is still to be turned is shrunk to a box that is turned.
  const isOnItsSide = orientation !== undefined && orientation >= 5;
  const small = await input
    .resize(isOnItsSide ? height : width, isOnItsSide ? width : height, {
      fit: 'inside',
      withoutEnlargement: true,
    })
    .withMetadata({ ...(orientation !== undefined && { orientation }) })
    .png({ compressionLevel: 0 })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer();
  // The small image is turned, and not the large one: the timeout does not cover what is decoded in order to be turned.
  const upright = sharp(small).autoOrient();
  return (type === 'png' ? upright.png() : upright.webp({ quality: 80 })).toBuffer();
}

/**
 * Returns about how many bytes it takes to decode an image: a baseline JPEG and a PNG that is not interlaced are decoded in strips, the others as a
 * whole. The factors were measured with sharp 0.35.
 */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  const bytesPerSample = depth === 'ushort' ? 2 : 1;
  const perPixel = {
    // The coefficients of the whole image, with two bytes each.
    jpeg: isProgressive ? channels * 2 : 0,
    png: isProgressive ? channels * bytesPerSample * 1.5 : 0,
    webp: 4,
    gif: 6,
    // Several pictures of the decoder.
    heif: 20 * bytesPerSample,
  }[format as string];
  return width * height * (perPixel ?? Number.POSITIVE_INFINITY);
}

let loading: ReturnType<typeof load> | undefined;
const loadSharp = () => (loading ??= load());

/** Loads the library with the first image, and lets it read only the types that messages contain. */
async function load() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Nsgif', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}`),
  });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
