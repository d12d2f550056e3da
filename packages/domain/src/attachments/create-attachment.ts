import type { AttachmentCreated, CreateAttachmentInput } from '@firmdesk/contract';
import type { z } from 'zod';
import { ApiError } from '../platform/process/errors.ts';
import { newId } from '../platform/process/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { announceFile } from './announce-file.ts';

/** Announces a file of a ticket, whose content the caller then uploads. Throws `resource_not_found` (ticket), `attachment_limit_reached`. */
export async function createAttachment(
  ctx: AccountContext,
  { ticket, ...file }: z.output<typeof CreateAttachmentInput>,
): Promise<z.infer<typeof AttachmentCreated>> {
  const found = await ctx.db
    .selectFrom('tickets')
    .select('id')
    .where('workspace_id', '=', ctx.workspace.id)
    .where('id', '=', ticket)
    .executeTakeFirst();
  if (!found) throw new ApiError('resource_not_found');
  const id = newId('attachment', ctx.now);
  await announceFile(ctx, { ...file, id, ticket });
  return { object: 'attachment_upload', id };
}
