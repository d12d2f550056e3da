import type { Attachment, ScanState } from '@firmdesk/contract';
import type { Services } from '../platform/services.ts';

export interface AttachmentRow {
  id: string;
  /** Null for a file of mail. */
  ticket_id: string | null;
  name: string;
  size: number;
  /** Null until the content is uploaded. */
  type: Attachment['type'] | null;
  is_program: boolean;
  /** Null: it is not scanned. */
  scan: ScanState | null;
  /** The message, or the delayed send, that contains it. */
  part_of: string | null;
  uploader_id: string | null;
  /** Names the content in the store; null for a file of received mail. */
  content: string | null;
}

/** Returns a file of the firm that is not deleted. The caller holds no connection while a content is sent. */
export async function findAttachment(
  { pool }: Pick<Services, 'pool'>,
  workspaceId: number,
  id: string,
): Promise<AttachmentRow | undefined> {
  const { rows } = await pool.query<AttachmentRow>({
    name: 'attachment',
    text: `select id, ticket_id, name, size, type, is_program, scan, part_of, uploader_id, content from attachments
      where workspace_id = $1 and id = $2 and deleted_at is null`,
    values: [workspaceId, id],
  });
  return rows[0];
}

/** Returns a file as the message has it that contains it. */
export function toAttachment<Id extends string>({
  id,
  name,
  type,
  size,
  is_program,
  scan,
}: { id: Id } & Pick<Attachment, 'name' | 'type' | 'size'> & Pick<AttachmentRow, 'is_program' | 'scan'>) {
  return {
    id,
    name,
    type,
    size,
    deleted: false,
    ...(is_program && { program: true }),
    ...(scan && { scan }),
  };
}

/** The key of a file's content in the object store. */
export function objectKey(workspaceId: number, id: string, content: string | null): string {
  return `${workspaceId}/${id}${content === null ? '' : `-${content}`}`;
}

/** The key of its thumbnail. */
export function thumbnailKey(workspaceId: number, id: string): string {
  return `${workspaceId}/${id}-small`;
}
