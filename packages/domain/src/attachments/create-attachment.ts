import {
  type AttachmentCreated,
  type CreateAttachmentInput,
  MAX_UNSENT_ATTACHMENTS,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { sqlOf } from '../platform/database.ts';
import { ApiError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/**
 * Announces a file of a ticket, whose content the caller then uploads. Throws `resource_not_found` (ticket), and `attachment_limit_reached` if the
 * caller has too many files that no message contains.
 */
export async function createAttachment(
  { em, workspace, identity, now }: AccountContext,
  { ticket, name, size }: z.output<typeof CreateAttachmentInput>,
): Promise<z.infer<typeof AttachmentCreated>> {
  const db = sqlOf(em);
  const { rows } = await sql<{ unsent: number }>`
    select (select count(*)::integer from attachments where workspace_id = ${workspace.id}
      and uploader_id = ${identity.user.id} and part_of is null and deleted_at is null) as unsent
    from tickets where workspace_id = ${workspace.id} and id = ${ticket}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  if (rows[0].unsent >= MAX_UNSENT_ATTACHMENTS) throw new ApiError('attachment_limit_reached');
  const id = newId('attachment', now);
  await sql`
    insert into attachments (workspace_id, id, ticket_id, uploader_id, name, size, created_at)
    values (${workspace.id}, ${id}, ${ticket}, ${identity.user.id}, ${name}, ${size}, ${now.toISOString()})`.execute(
    db,
  );
  return { object: 'attachment_upload', id };
}
