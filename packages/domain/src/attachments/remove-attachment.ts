import type { AttachmentRef } from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/** Removes a file of the caller that no message contains. A job deletes its content. Throws `resource_not_found`. */
export async function removeAttachment(
  { db, workspace, identity, now }: AccountContext,
  { id }: z.infer<typeof AttachmentRef>,
): Promise<void> {
  const { rows } = await sql`
    update attachments set deleted_at = ${now.toISOString()}
    where workspace_id = ${workspace.id} and id = ${id} and uploader_id = ${identity.user.id} and part_of is null
      and deleted_at is null
    returning id`.execute(db);
  if (rows.length === 0) throw new ApiError('resource_not_found');
}
