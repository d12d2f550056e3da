import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { findAttachment } from './attachment-row.ts';
import { type OpenAttachment, openFile } from './open-file.ts';

/**
 * Finds a file of a ticket's message, or an own one that no message contains yet. Throws `resource_not_found`, also for a file of another firm.
 */
export async function openAttachment(ctx: AccountContext, id: string): Promise<OpenAttachment> {
  const file = await findAttachment(ctx.services, ctx.workspace.id, id);
  const isReadable =
    file?.ticket_id &&
    file.type !== null &&
    (file.part_of !== null || file.uploader_id === ctx.identity.user.id);
  if (!isReadable) throw new ApiError('resource_not_found');
  return openFile(ctx.services, ctx.workspace.id, { ...file, type: file.type! });
}
