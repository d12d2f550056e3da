import {
  type AnnouncedFile,
  MAX_ATTACHMENT_BYTES_PER_HOUR,
  MAX_UNSENT_ATTACHMENTS,
} from '@firmdesk/contract';
import { sql } from 'kysely';
import { MINUTE_MS } from '../platform/process/clock.ts';
import { ApiError } from '../platform/process/errors.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { Attachment } from './attachment.entity.ts';
import { requireRoom } from './storage-use.ts';

/**
 * Stores that the caller will send the content of a file, of a ticket or of mail. Throws `attachment_limit_reached` if the caller has too many files that
 * no message contains, or has announced too many bytes in the last hour, or the firm’s storage is full.
 */
export async function announceFile(
  ctx: AccountContext,
  { id, ticket, name, size }: AnnouncedFile & { id: string; ticket: string | null },
): Promise<void> {
  const { em, db, workspace, identity, now } = ctx;
  await requireRoom(ctx, workspace.id, size);
  // The lock makes the announcements of one account wait for each other, so that two cannot count the same files.
  const lock = `attachments ${workspace.id} ${identity.user.id}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(db);
  const hourAgo = new Date(now.getTime() - 60 * MINUTE_MS).toISOString();
  const { rows } = await sql<{ unsent: number; bytes: number }>`
    select count(*) filter (where part_of is null and deleted_at is null)::integer as unsent,
      coalesce(sum(size) filter (where created_at > ${hourAgo}), 0)::float8 as bytes
    from attachments where workspace_id = ${workspace.id} and uploader_id = ${identity.user.id}
      and (part_of is null or created_at > ${hourAgo})`.execute(db);
  const { unsent, bytes } = rows[0]!;
  if (unsent >= MAX_UNSENT_ATTACHMENTS) throw new ApiError('attachment_limit_reached');
  if (bytes + size > MAX_ATTACHMENT_BYTES_PER_HOUR)
    throw new ApiError('attachment_limit_reached', {
      message: 'The account has announced the maximum number of bytes in an hour: try again later.',
    });
  em.create(Attachment, {
    workspaceId: workspace.id,
    id,
    ticketId: ticket,
    uploaderId: identity.user.id,
    name,
    size,
    createdAt: now,
  });
  await em.flush();
}
