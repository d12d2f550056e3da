import { addAbortSignal, Readable } from 'node:stream';
import { type MailAttachment, THUMBNAIL_FROM_BYTES, THUMBNAIL_PIXELS } from '@firmdesk/contract';
import { imageSlots, shrinkImage } from '../platform/images/shrink-image.ts';
import { throwUnavailable } from '../platform/objects/object-store.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import { thumbnailKey } from './attachment-row.ts';

export const THUMBNAIL_TYPE = 'image/webp';
const BOX = { width: THUMBNAIL_PIXELS, height: THUMBNAIL_PIXELS };
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
    const thumbnail = await shrinkImage(image, BOX, 'webp').catch((error: unknown) => {
      log.warn({ err: error, attachment: id }, 'a thumbnail cannot be made');
      return NONE;
    });
    await objects.write(key, Readable.from([thumbnail]), thumbnail.length);
    return thumbnail;
  };
  let thumbnail = await readStored();
  try {
    thumbnail ??= await imageSlots.run(String(workspaceId), make);
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
