import type { Attachment } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { OperationContext } from '../platform/database/context.ts';
import { invalidField } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type AttachmentRow, toAttachment } from './attachment-row.ts';
import { scanReceivedFiles } from './store-received-files.ts';

type ClaimedRow = Attachment & Pick<AttachmentRow, 'is_program' | 'scan'>;

/**
 * Makes uploaded files of the caller a part of a message, and returns them in the order of `ids`. Throws `validation_failed` if one is not uploaded,
 * is infected, is of another ticket or account, or is part of another message.
 */
export async function claimAttachments(
  { db, workspace, identity }: AccountContext,
  { ticket, message, ids }: { ticket: string; message: string; ids: readonly string[] },
): Promise<Attachment[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ClaimedRow>`
    update attachments set part_of = ${message}
    where workspace_id = ${workspace.id} and id = any(${[...ids]}) and ticket_id = ${ticket}
      and uploader_id = ${identity.user.id} and part_of is null and uploaded_at is not null and deleted_at is null
      and scan is distinct from 'infected'
    returning id, name, type, size, is_program, scan`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id, index) => {
    const file = byId.get(id);
    if (file) return toAttachment(file);
    throw invalidField(
      `attachments[${index}]`,
      'must be a file without malware that you have uploaded to this ticket, and that no message contains',
    );
  });
}

/** Makes files that another system has sent a part of a message of a ticket, and lets them be scanned. */
export async function claimReceivedFiles(
  ctx: OperationContext & { workspace: { id: number } },
  { ticket, message, files }: { ticket: string; message: string; files: readonly Attachment[] },
): Promise<void> {
  if (files.length === 0) return;
  await sql`
    update attachments set ticket_id = ${ticket}, part_of = ${message}
    where workspace_id = ${ctx.workspace.id} and id = any(${files.map(({ id }) => id)})`.execute(ctx.db);
  await scanReceivedFiles(ctx, ctx.workspace.id, files);
}

/** Makes the files of a message that was not sent available again. */
export async function releaseAttachments(
  { db }: OperationContext,
  workspaceId: number,
  message: string,
): Promise<void> {
  await sql`
    update attachments set part_of = null
    where workspace_id = ${workspaceId} and part_of = ${message}`.execute(db);
}

/**
 * Makes the files of a message that was not sent the caller's, as if they had uploaded them now, and available. Returns those whose content
 * was not deleted, in the order in which they were announced.
 */
export async function handOverAttachments(
  { db, workspace, identity, now }: AccountContext,
  ticket: string,
  message: string,
): Promise<Attachment[]> {
  const { rows } = await sql<ClaimedRow>`
    update attachments set part_of = null, uploader_id = ${identity.user.id}, created_at = ${now.toISOString()}
    where workspace_id = ${workspace.id} and ticket_id = ${ticket} and part_of = ${message} and deleted_at is null
    returning id, name, type, size, is_program, scan`.execute(db);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(toAttachment);
}

/** Removes the files of a message that nobody will send. A job deletes their contents. */
export async function discardAttachments(
  { db, workspace, now }: AccountContext,
  ticket: string,
  message: string,
): Promise<void> {
  await sql`
    update attachments set deleted_at = ${now.toISOString()}
    where workspace_id = ${workspace.id}
    and ticket_id = ${ticket} and part_of = ${message} and deleted_at is null`.execute(db);
}
