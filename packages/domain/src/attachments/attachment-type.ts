import type { AttachmentType } from '@firmdesk/contract';
import { imageType } from '../access/image-type.ts';

/** The number of bytes that {@link attachmentType} needs at most. */
export const HEAD_BYTES = 4_096;

/** Returns the type of a file by its first bytes; null if messages cannot contain it. SVG can contain scripts. */
export function attachmentType(head: Buffer): AttachmentType | null {
  if (head.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf';
  const type = imageType(head);
  return type === 'image/svg+xml' ? null : type;
}
