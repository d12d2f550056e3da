import {
  attachmentPath,
  type CreateMailAttachmentInput,
  type MailAttachmentCreated,
} from '@firmdesk/contract';
import type { z } from 'zod';
import { announceFile } from '../../attachments/index.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { writableMailbox } from '../mailboxes/mailbox-access.ts';

/**
 * Announces a file of mail that the caller writes, whose content the caller then uploads. Throws `resource_not_found` (mailbox),
 * `attachment_limit_reached`.
 */
export async function createMailAttachment(
  ctx: AccountContext,
  { address_id, ...file }: z.output<typeof CreateMailAttachmentInput>,
): Promise<z.infer<typeof MailAttachmentCreated>> {
  if (!(await writableMailbox(ctx, address_id).executeTakeFirst())) throw new ApiError('resource_not_found');
  const id = newId('mailAttachment', ctx.now);
  await announceFile(ctx, { ...file, id, ticket: null });
  const upload_url = ctx.services.publicUrl() + attachmentPath(ctx.workspace.slug, id);
  return { object: 'mail_attachment_upload', id, upload_url };
}
