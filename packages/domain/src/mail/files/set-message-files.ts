import { MAX_ATTACHMENT_BYTES, type MailAttachment } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type AttachmentRow, toAttachment } from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import { ApiError, invalidField } from '../../platform/process/errors.ts';
import type { AccountContext } from '../../procedures/call-context.ts';

type UploadedFile = Pick<MailAttachment, 'id' | 'name' | 'type' | 'size'> &
  Pick<AttachmentRow, 'is_program' | 'scan'> & { is_available: boolean };

/**
 * Makes uploaded files of the caller the files of a message that the caller writes, in the order of `ids`. Files that the message had before, and that are
 * not among them, can be used again, or are deleted with other unsent files. Throws `resource_not_found` for a file that the caller has not announced, and
 * `validation_failed` for one that is not uploaded or that another message contains, and for too many bytes.
 */
export async function setMessageFiles(
  ctx: AccountContext,
  message: string,
  ids: readonly string[],
): Promise<void> {
  const { db, workspace, now } = ctx;
  await sql`
    update attachments set part_of = null, mail_message_id = null, created_at = ${now.toISOString()}
    where workspace_id = ${workspace.id} and mail_message_id = ${message} and id <> all(${[...ids]})
      and deleted_at is null`.execute(db);
  const files = ids.length === 0 ? [] : await findFiles(ctx, message, ids);
  if (files.reduce((bytes, { size }) => bytes + size, 0) > MAX_ATTACHMENT_BYTES)
    throw invalidField('attachments', 'must have at most 25 MB in all');
  await sql`
    update attachments set part_of = ${message}, mail_message_id = ${message}
    where workspace_id = ${workspace.id} and id = any(${[...ids]})`.execute(db);
  await sql`
    update mail_messages set attachments = ${JSON.stringify(files)}
    where workspace_id = ${workspace.id} and id = ${message}`.execute(db);
}

async function findFiles(
  { db, workspace, identity }: AccountContext,
  message: string,
  ids: readonly string[],
): Promise<MailAttachment[]> {
  const { rows } = await sql<UploadedFile>`
    select id, name, type, size, is_program, scan,
      uploaded_at is not null and scan is distinct from 'infected' and (part_of is null or part_of = ${message}) as is_available
    from attachments
    where workspace_id = ${workspace.id} and id = any(${[...ids]}) and ticket_id is null and deleted_at is null
      and (uploader_id = ${identity.user.id} or mail_message_id = ${message})
    for no key update`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const found = byId.get(id);
    const path = `attachments[${index}]`;
    if (!found) throw new ApiError('resource_not_found', { message: `"${path}": there is no such file.` });
    if (found.is_available) return { ...toAttachment(found), content_id: id };
    throw invalidField(
      path,
      'must be a file without malware that you have uploaded, and that no message contains',
    );
  });
}

/** Removes the files of messages that are deleted. A job deletes their contents. */
export async function discardMessageFiles(
  { db, now }: OperationContext,
  workspaceId: number,
  messages: readonly string[],
): Promise<void> {
  await sql`
    update attachments set mail_message_id = null, deleted_at = coalesce(deleted_at, ${now.toISOString()})
    where workspace_id = ${workspaceId} and mail_message_id = any(${[...messages]})`.execute(db);
}
