import {
  type AttachmentCreated,
  type CreateAttachmentInput,
  MAX_ATTACHMENT_BYTES_PER_HOUR,
  MAX_UNSENT_ATTACHMENTS,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { MINUTE_MS } from '../platform/process/clock.ts';
import { ApiError } from '../platform/process/errors.ts';
import { newId } from '../platform/process/ids.ts';
import type { AccountContext } from '../procedures/call-context.ts';

/**
 * Announces a file of a ticket, whose content the caller then uploads. Throws `resource_not_found` (ticket), and `attachment_limit_reached` if the
 * caller has too many files that no message contains, or has announced too many bytes in the last hour.
 */
export async function createAttachment(
  { db, workspace, identity, now }: AccountContext,
  { ticket, name, size }: z.output<typeof CreateAttachmentInput>,
): Promise<z.infer<typeof AttachmentCreated>> {
  // The lock makes the announcements of one account wait for each other, so that two cannot count the same files.
  const lock = `attachments ${workspace.id} ${identity.user.id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  const hourAgo = new Date(now.getTime() - 60 * MINUTE_MS).toISOString();
  const { rows } = await sql<{ unsent: number; bytes: number }>`
    select f.unsent, f.bytes from tickets t cross join lateral (
      select count(*) filter (where part_of is null and deleted_at is null)::integer as unsent,
        coalesce(sum(size) filter (where created_at > ${hourAgo}), 0)::float8 as bytes
      from attachments where workspace_id = ${workspace.id} and uploader_id = ${identity.user.id}
        and (part_of is null or created_at > ${hourAgo})) f
    where t.workspace_id = ${workspace.id} and t.id = ${ticket}`.execute(db);
  if (!rows[0]) throw new ApiError('resource_not_found');
  if (rows[0].unsent >= MAX_UNSENT_ATTACHMENTS) throw new ApiError('attachment_limit_reached');
  if (rows[0].bytes + size > MAX_ATTACHMENT_BYTES_PER_HOUR)
    throw new ApiError('attachment_limit_reached', {
      message: 'The account has announced the maximum number of bytes in an hour: try again later.',
    });
  const id = newId('attachment', now);
  await sql`
    insert into attachments (workspace_id, id, ticket_id, uploader_id, name, size, created_at)
    values (${workspace.id}, ${id}, ${ticket}, ${identity.user.id}, ${name}, ${size}, ${now.toISOString()})`.execute(
    db,
  );
  return { object: 'attachment_upload', id };
}
