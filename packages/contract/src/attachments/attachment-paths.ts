import { THUMBNAIL_FROM_BYTES } from '../values/limits.ts';

/** The path of a file of a ticket or of mail: `PUT` uploads it, `GET` and `HEAD` return it. `firm` is the slug of the workspace. */
export function attachmentPath(firm: string, id: string): string {
  return `/attachments/${firm}/${id}`;
}

/**
 * The path of an image as lists and conversations show it: a large one is sent smaller, as WebP with at most `THUMBNAIL_PIXELS` pixels in each
 * direction. The answer is 404 if the service cannot make it, because the image is damaged or too large to decode.
 */
export function thumbnailPath(firm: string, { id, size }: { id: string; size: number }): string {
  return attachmentPath(firm, id) + (size < THUMBNAIL_FROM_BYTES ? '' : '?size=small');
}

/** The path of the file of an export. `firm` is the slug of the workspace. */
export function dataFilePath(firm: string, id: string): string {
  return `/data-files/${firm}/${id}`;
}
