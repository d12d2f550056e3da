import type { MailAttachment } from '@firmdesk/contract';
import type { OperationContext } from '../platform/database/context.ts';
import type { Services } from '../platform/services.ts';
import { objectKey } from './attachment-row.ts';
import { requestScan } from './request-scan.ts';

/** A file that another system has sent. */
export interface ReceivedFile {
  file: Pick<MailAttachment, 'id' | 'name' | 'type' | 'size' | 'program' | 'scan'>;
  content: Uint8Array;
}

/** Stores files that no message contains yet, each row before its content. Throws `unavailable` if a content cannot be stored. */
export async function storeReceivedFiles(
  { pool, objects, clock }: Services,
  workspaceId: number,
  files: readonly ReceivedFile[],
): Promise<void> {
  for (const { file, content } of files) {
    const { id, name, type, size, program = false, scan = null } = file;
    await pool.query(
      `insert into attachments (workspace_id, id, name, type, size, created_at, uploaded_at, is_program, scan)
       values ($1, $2, $3, $4, $5, $6, $6, $7, $8)`,
      [workspaceId, id, name, type, size, clock.now().toISOString(), program, scan],
    );
    await objects.write(objectKey(workspaceId, id, null), chunksOf(content), size);
  }
}

/** Lets files be scanned that a message contains now. */
export async function scanReceivedFiles(
  ctx: OperationContext,
  workspaceId: number,
  files: readonly ReceivedFile['file'][],
): Promise<void> {
  for (const { id, scan } of files) if (scan === 'waiting') await requestScan(ctx, workspaceId, id);
}

async function* chunksOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  const step = 1_048_576;
  for (let at = 0; at < content.length; at += step) yield content.subarray(at, at + step);
}
