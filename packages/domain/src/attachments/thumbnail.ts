import { Readable } from 'node:stream';
import { type MailAttachment, THUMBNAIL_FROM_BYTES, THUMBNAIL_PIXELS } from '@firmdesk/contract';
import { ApiError } from '../platform/errors.ts';
import { Semaphore } from '../platform/semaphore.ts';
import type { Services } from '../platform/services.ts';
import { thumbnailKey } from './attachment-row.ts';

/** A small file can contain an image that fills the memory: each pixel takes four bytes. Usual cameras of phones stay below this. */
const MAX_PIXELS = 50_000_000;
const TIMEOUT_SECONDS = 10;
/** How many images a process decodes at once. Each is in memory until its thumbnail is made. */
const CONCURRENT = 2;

export const THUMBNAIL_TYPE = 'image/webp';
const semaphore = new Semaphore(CONCURRENT);

/**
 * Returns the thumbnail of a large image, which is made when it is read first. Returns null for other files, and if it cannot be made: the file is
 * damaged, has too many pixels or takes too long, or too many others wait.
 */
export async function readThumbnail(
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  workspaceId: number,
  { id, type, size, read }: Pick<MailAttachment, 'id' | 'type' | 'size'> & { read(): Promise<Readable> },
): Promise<Readable | null> {
  if (!type.startsWith('image/') || size < THUMBNAIL_FROM_BYTES) return null;
  const key = thumbnailKey(workspaceId, id);
  const stored = await objects.read(key);
  if (stored) return stored;
  try {
    return await semaphore.run(async () => {
      const madeMeanwhile = await objects.read(key);
      if (madeMeanwhile) return madeMeanwhile;
      const thumbnail = await makeThumbnail(Buffer.concat(await (await read()).toArray()));
      await objects.write(key, Readable.from([thumbnail]), thumbnail.length);
      return Readable.from([thumbnail]);
    });
  } catch (error) {
    if (error instanceof ApiError && error.apiCode === 'resource_not_found') throw error;
    log.warn({ err: error, attachment: id }, 'a thumbnail cannot be made, so the image itself is sent');
    return null;
  }
}

/** Returns an image with at most {@link THUMBNAIL_PIXELS} in each direction, upright and without metadata. Of an animation, the first picture. */
export async function makeThumbnail(image: Buffer): Promise<Buffer> {
  loading ??= load();
  const sharp = await loading;
  return sharp(image, { limitInputPixels: MAX_PIXELS, sequentialRead: true })
    .autoOrient()
    .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .timeout({ seconds: TIMEOUT_SECONDS })
    .toBuffer();
}

let loading: ReturnType<typeof load> | undefined;

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
