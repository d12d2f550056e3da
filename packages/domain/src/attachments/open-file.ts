import type { Readable } from 'node:stream';
import type { MailAttachment } from '@firmdesk/contract';
import { ApiError } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import { type AttachmentRow, objectKey } from './attachment-row.ts';
import { awaitsScan } from './scanner.ts';
import { readThumbnail } from './thumbnail.ts';

type StoredFile = Pick<MailAttachment, 'id' | 'name' | 'type' | 'size'>;

export interface OpenAttachment extends StoredFile {
  /** Opens the content. Throws `resource_not_found` if the store does not have it. */
  read(): Promise<Readable>;
  /** Returns the thumbnail; null if the file itself is to be shown. Throws `resource_not_found` if it cannot be made. */
  readThumbnail(signal: AbortSignal): Promise<Buffer | null>;
}

/** Returns a file that the caller may read. Throws `resource_not_found` for one that waits for a scan, or is infected. */
export function openFile(
  services: Pick<Services, 'objects' | 'log' | 'scanner'>,
  workspaceId: number,
  { id, name, type, size, content: key, scan }: StoredFile & Pick<AttachmentRow, 'content' | 'scan'>,
): OpenAttachment {
  if (scan === 'infected')
    throw new ApiError('resource_not_found', { message: 'The file contains malware and is not served.' });
  if (awaitsScan(services, scan))
    throw new ApiError('resource_not_found', {
      message: 'The file is being scanned for malware: try again later.',
    });
  const { objects, log } = services;
  const file: OpenAttachment = {
    ...{ id, name, type, size },
    async read() {
      const content = await objects.read(objectKey(workspaceId, id, key));
      if (content) return content;
      log.error({ attachment: id, place: objects.place }, 'the content of a file is missing');
      throw new ApiError('resource_not_found');
    },
    readThumbnail: (signal) => readThumbnail(services, workspaceId, file, signal),
  };
  return file;
}
