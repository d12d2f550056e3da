import type { AttachmentType, MailAttachment } from '@firmdesk/contract';
import { imageType } from '../access/accounts/image-type.ts';

/** The number of bytes that {@link attachmentType} needs at most. */
export const HEAD_BYTES = 4_096;

/** Returns the type of a file by its first bytes; null if messages cannot contain it. SVG can contain scripts. */
export function attachmentType(head: Buffer): AttachmentType | null {
  if (head.subarray(0, 5).equals(Buffer.from('%PDF-'))) return 'application/pdf';
  const type = imageType(head);
  return type === 'image/svg+xml' ? null : type;
}

/** Returns the type of a file of mail, which can be of any type. Browsers show nothing of `application/octet-stream`. */
export function fileType(content: Uint8Array): MailAttachment['type'] {
  return attachmentType(Buffer.from(content.subarray(0, HEAD_BYTES))) ?? 'application/octet-stream';
}
