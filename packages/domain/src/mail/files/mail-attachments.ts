import type { MailAttachment } from '@firmdesk/contract';
import { type RawBuilder, sql } from 'kysely';
import {
  type AttachmentRow,
  fileType,
  isProgram,
  type OpenAttachment,
  openFile,
  storeReceivedFiles,
} from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError } from '../../platform/process/errors.ts';
import { newId } from '../../platform/process/ids.ts';
import type { AccountContext } from '../../procedures/call-context.ts';
import { readableMailboxes } from '../mailboxes/mailbox-access.ts';
import type { MailFile } from './mail-files.ts';

/**
 * Stores the contents of a message's files. Until the message is stored, no one can read them: if this never happens, they are deleted like
 * other files that no message contains. Throws `unavailable` if the store cannot be reached.
 */
export async function storeMailFiles(
  { services, now }: OperationContext,
  workspaceId: number,
  files: readonly MailFile[],
): Promise<MailAttachment[]> {
  const stored = files.map(({ name, content, contentId }) => ({
    content,
    file: {
      id: newId('mailAttachment', now),
      name,
      type: fileType(content),
      size: content.length,
      deleted: false,
      content_id: contentId,
      ...(isProgram(content) && { program: true }),
      ...(services.scanner && { scan: 'waiting' as const }),
    },
  }));
  await storeReceivedFiles(services, workspaceId, stored);
  return stored.map(({ file }) => file);
}

/** Returns the write, for `executeWrites`, that makes stored files a part of a message. */
export function fileClaim(
  workspaceId: number,
  message: string,
  files: readonly MailAttachment[],
): RawBuilder<unknown> {
  return sql`
    update attachments set part_of = ${message}, mail_message_id = ${message}
    where workspace_id = ${workspaceId} and id = any(${files.map(({ id }) => id)})`;
}

/**
 * Finds a file of a message that the caller may read, or an own one that no message contains yet. Throws `resource_not_found`, also for a file of another
 * firm.
 */
export async function openMailAttachment(ctx: AccountContext, id: string): Promise<OpenAttachment> {
  const { rows } = await sql<
    Pick<MailAttachment, 'id' | 'name' | 'size' | 'type'> & Pick<AttachmentRow, 'content' | 'scan'>
  >`
    select a.id, a.name, a.size, a.type, a.content, a.scan from attachments a
    left join mail_messages m on m.workspace_id = ${ctx.workspace.id} and m.id = a.mail_message_id
    where a.workspace_id = ${ctx.workspace.id} and a.id = ${id} and a.ticket_id is null and a.deleted_at is null
      and a.uploaded_at is not null and (
        m.mailbox_id in ${readableMailboxes(ctx).select('b.id')}
        or (a.part_of is null and a.uploader_id = ${ctx.identity.user.id}))`.execute(ctx.db);
  const [file] = rows;
  if (!file) throw new ApiError('resource_not_found');
  return openFile(ctx.services, ctx.workspace.id, file);
}
