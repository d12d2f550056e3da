import type { MailAttachment } from '@firmdesk/contract';
import type { AccountContext } from '../procedures/call-context.ts';

export interface AttachmentRow {
  id: string;
  /** Null for a file of mail. */
  ticket_id: string | null;
  name: string;
  size: number;
  /** Null until the content is uploaded. Only a file of mail can be of any type. */
  type: MailAttachment['type'] | null;
  /** The message, or the delayed send, that contains it. */
  part_of: string | null;
  uploader_id: string | null;
  /** Names the content in the store; null for a file of received mail. */
  content: string | null;
}

/** Returns a file of the firm that is not deleted. The caller holds no connection while a content is sent. */
export async function findAttachment(
  { services, workspace }: AccountContext,
  id: string,
): Promise<AttachmentRow | undefined> {
  const { rows } = await services.pool.query<AttachmentRow>({
    name: 'attachment',
    text: `select id, ticket_id, name, size, type, part_of, uploader_id, content from attachments
      where workspace_id = $1 and id = $2 and deleted_at is null`,
    values: [workspace.id, id],
  });
  return rows[0];
}

/** The key of a file's content in the object store. */
export function objectKey(workspaceId: number, id: string, content: string | null): string {
  return `${workspaceId}/${id}${content === null ? '' : `-${content}`}`;
}

/** The key of its thumbnail. */
export function thumbnailKey(workspaceId: number, id: string): string {
  return `${workspaceId}/${id}-small`;
}
