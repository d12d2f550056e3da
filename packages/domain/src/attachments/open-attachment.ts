import type { Readable } from 'node:stream';
import type { AttachmentType } from '@firmdesk/contract';
import { ApiError } from '../platform/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { findAttachment, objectKey } from './attachment-row.ts';

export interface OpenAttachment {
  name: string;
  type: AttachmentType;
  size: number;
  /** Opens the content. Throws `resource_not_found` if the store does not have it. */
  read(): Promise<Readable>;
}

/**
 * Finds a file of a message, or an own one that no message contains yet. Throws `resource_not_found`, also for a file of another firm.
 */
export async function openAttachment(ctx: AccountContext, id: string): Promise<OpenAttachment> {
  const file = await findAttachment(ctx, id);
  const isReadable =
    file && file.type !== null && (file.part_of !== null || file.uploader_id === ctx.identity.user.id);
  if (!isReadable) throw new ApiError('resource_not_found');
  const { services, workspace } = ctx;
  const { name, type, size } = file;
  return {
    name,
    type: type!,
    size,
    async read() {
      const content = await services.objects.read(objectKey(workspace.id, id));
      if (content) return content;
      services.log.error(
        { attachment: id, place: services.objects.place },
        'the content of a file is missing',
      );
      throw new ApiError('resource_not_found');
    },
  };
}
