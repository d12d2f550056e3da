import type { AttachmentRef } from '@firmdesk/contract';
import { LockMode } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountContext } from '../procedures/call-context.ts';
import { Attachment } from './attachment.entity.ts';

/** Removes a file of the caller that no message contains. A job deletes its content. Throws `resource_not_found`. */
export async function removeAttachment(
  { em, workspace, identity, now }: AccountContext,
  { id }: z.infer<typeof AttachmentRef>,
): Promise<void> {
  const file = await em.findOneOrFail(
    Attachment,
    { workspaceId: workspace.id, id, uploaderId: identity.user.id, partOf: null, deletedAt: null },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  file.deletedAt = now;
}
