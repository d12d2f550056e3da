import type { MailAttachment } from '@firmdesk/contract';
import pLimit from 'p-limit';
import type { OperationContext } from '../platform/database/context.ts';
import { sqlOf } from '../platform/database/database.ts';
import type { Services } from '../platform/services.ts';
import { objectKey } from './attachment-row.ts';
import { requestScan } from './request-scan.ts';

/** A file that another system has sent. */
export interface ReceivedFile {
  file: Pick<MailAttachment, 'id' | 'name' | 'type' | 'size' | 'program' | 'scan'>;
  content: Uint8Array;
}

/** How many contents of a message are written at once. */
const CONCURRENT = 4;

/** Stores files that no message contains yet, all rows before their contents. Throws `unavailable` if a content cannot be stored. */
export async function storeReceivedFiles(
  { orm, objects, clock }: Services,
  workspaceId: number,
  files: readonly ReceivedFile[],
): Promise<void> {
  if (files.length === 0) return;
  const at = clock.now().toISOString();
  await sqlOf(orm)
    .insertInto('attachments')
    .values(
      files.map(({ file: { id, name, type, size, program = false, scan = null } }) => ({
        ...{ workspace_id: workspaceId, id, name, type, size, scan, is_program: program },
        ...{ created_at: at, uploaded_at: at },
      })),
    )
    .execute();
  const limit = pLimit(CONCURRENT);
  await limit.map(files, ({ file: { id, size }, content }) =>
    objects.write(objectKey(workspaceId, id, null), chunksOf(content), size),
  );
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
