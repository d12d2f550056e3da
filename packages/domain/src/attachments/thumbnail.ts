import { addAbortSignal, Readable } from 'node:stream';
import { type MailAttachment, THUMBNAIL_FROM_BYTES, THUMBNAIL_PIXELS } from '@firmdesk/contract';
import type { Metadata } from 'sharp';
import { throwUnavailable } from '../platform/objects/object-store.ts';
import { ApiError } from '../platform/process/errors.ts';
import { FairSemaphore } from '../platform/process/fair-semaphore.ts';
import type { Services } from '../platform/services.ts';
import { thumbnailKey } from './attachment-row.ts';

/** A small file can contain an image that takes minutes to decode. Usual cameras of phones stay below this. */
const MAX_PIXELS = 50_000_000;
/** What decoding one image may take. */
const MAX_DECODED_BYTES = 200_000_000;
const TIMEOUT_SECONDS = 10;
/** How many images a process decodes at once. Each is in memory until its thumbnail is made. */
const CONCURRENT = 2;

export const THUMBNAIL_TYPE = 'image/webp';
const semaphore = new FairSemaphore(CONCURRENT);
/** Stored instead of a thumbnail that cannot be made, so that the image is not decoded at each view. */
const NONE = Buffer.alloc(0);

/**
 * Returns the thumbnail of a large image, which is made when it is read first. Returns null for other files, and if too many images of the firm
 * wait. Throws `resource_not_found` if it cannot be made: the file is damaged, or takes too much memory or time.
 *
 * @param signal ends the call before the image is decoded
 */
export async function readThumbnail(
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  workspaceId: number,
  { id, type, size, read }: Pick<MailAttachment, 'id' | 'type' | 'size'> & { read(): Promise<Readable> },
  signal: AbortSignal,
): Promise<Buffer | null> {
  if (!type.startsWith('image/') || size < THUMBNAIL_FROM_BYTES) return null;
  const key = thumbnailKey(workspaceId, id);
  const readStored = async () => {
    const stored = await objects.read(key);
    return stored && contentOf(stored);
  };
  const make = async () => {
    signal.throwIfAborted();
    const madeMeanwhile = await readStored();
    if (madeMeanwhile) return madeMeanwhile;
    const image = await contentOf(await read(), signal);
    const sharp = await loadSharp();
    const thumbnail = await makeThumbnail(sharp, image).catch((error: unknown) => {
      log.warn({ err: error, attachment: id }, 'a thumbnail cannot be made');
      return NONE;
    });
    await objects.write(key, Readable.from([thumbnail]), thumbnail.length);
    return thumbnail;
  };
  let thumbnail = await readStored();
  try {
    thumbnail ??= await semaphore.run(String(workspaceId), make);
  } catch (error) {
    if (error instanceof ApiError && error.apiCode === 'rate_limited') return null;
    throw error;
  }
  if (thumbnail.length > 0) return thumbnail;
  throw new ApiError('resource_not_found', {
    message: 'The image has no thumbnail: it is damaged or too large to decode.',
  });
}

async function contentOf(content: Readable, signal?: AbortSignal): Promise<Buffer> {
  if (signal) addAbortSignal(signal, content);
  return Buffer.concat(await content.toArray().catch(throwUnavailable));
}

/** Returns an image with at most {@link THUMBNAIL_PIXELS} in each direction, upright and without metadata. Of an animation, the first picture. */
async function makeThumbnail(sharp: Awaited<ReturnType<typeof load>>, image: Buffer): Promise<Buffer> {
  const input = sharp(image, { limitInputPixels: MAX_PIXELS, sequentialRead: true });
  const metadata = await input.metadata();
  const bytes = decodedBytes(metadata);
  if (bytes > MAX_DECODED_BYTES)
    throw new TypeError(`decoding would take ${Math.round(bytes / 1_000_000)} MB of memory`);
  const { orientation } = metadata;
  const small = await input
    .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .withMetadata({ ...(orientation !== undefined && { orientation }) })
    .png({ compressionLevel: 0 })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer();
  // The small image is turned, and not the large one: the timeout does not cover what is decoded in order to be turned.
  return sharp(small).autoOrient().webp({ quality: 80 }).toBuffer();
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
