import type { MailAttachment } from '@firmdesk/contract';
import { sql } from 'kysely';
import { type AttachmentRow, openFile } from '../../attachments/index.ts';
import type { OperationContext } from '../../platform/database/context.ts';
import type { MailFile } from './mail-files.ts';

/**
 * Reads the files of a message with their contents, to store them once more, without those that were deleted or contain malware. Throws `resource_not_found` while a file is being scanned, or if a
 * content is missing.
 */
export async function readMailFiles(
  { db, services }: OperationContext,
  workspaceId: number,
  message: string,
): Promise<MailFile[]> {
  const { rows } = await sql<
    Pick<MailAttachment, 'id' | 'name' | 'type' | 'size' | 'content_id'> &
      Pick<AttachmentRow, 'content' | 'scan'>
  >`
    select a.id, a.name, a.type, a.size, a.content, a.scan, f.file->>'content_id' as content_id
    from mail_messages m, jsonb_array_elements(m.attachments) with ordinality as f (file, place)
    join attachments a on a.workspace_id = ${workspaceId} and a.id = f.file->>'id' and a.deleted_at is null
      and a.scan is distinct from 'infected'
    where m.workspace_id = ${workspaceId} and m.id = ${message}
    order by f.place`.execute(db);
  const files: MailFile[] = [];
  for (const file of rows) {
    const content = Buffer.concat(await (await openFile(services, workspaceId, file).read()).toArray());
    files.push({ name: file.name, content, contentId: file.content_id, calendarPart: null });
  }
  return files;
}
