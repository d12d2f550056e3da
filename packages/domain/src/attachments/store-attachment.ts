import type { AttachmentType } from '@firmdesk/contract';
import { ApiError, invalidField } from '../platform/errors.ts';
import { queryPool } from '../platform/query-pool.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type AttachmentRow, findAttachment, objectKey } from './attachment-row.ts';
import { attachmentType, HEAD_BYTES } from './attachment-type.ts';

/** A content that a client sends. */
export interface ReceivedContent {
  /** The announced number of bytes; null if the client has announced none. */
  size: number | null;
  chunks: AsyncIterable<Buffer>;
}

/**
 * Stores the content of a file that the caller has announced, while it arrives. Does nothing if the content is stored already. Throws
 * `resource_not_found` for a file of another account, `validation_failed` if the size is another one than that announced, and
 * `unsupported_media_type` if the content is none that messages can contain.
 */
export async function storeAttachment(
  ctx: AccountContext,
  id: string,
  { size, chunks }: ReceivedContent,
): Promise<void> {
  const file = await findAttachment(ctx, id);
  if (!file || file.uploader_id !== ctx.identity.user.id) throw new ApiError('resource_not_found');
  if (size !== file.size)
    throw invalidField('Content-Length', `must be ${file.size}, the size that was announced`);
  if (file.type !== null) return;
  const { services, workspace } = ctx;
  const content = await typed(exactly(file, chunks));
  await services.objects.write(objectKey(workspace.id, id), content.chunks, file.size);
  const { rowCount } = await queryPool(
    services.pool,
    `update attachments set type = $3, uploaded_at = $4
     where workspace_id = $1 and id = $2 and deleted_at is null`,
    [workspace.id, id, content.type, services.clock.now().toISOString()],
  );
  // It was removed meanwhile. The job that deletes its row deletes the content.
  if (rowCount === 0) throw new ApiError('resource_not_found');
}

/** Yields a content, and throws when it turns out to have another size than announced. */
async function* exactly({ size }: AttachmentRow, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > size) break;
    yield chunk;
  }
  if (received !== size) throw invalidField('', 'must arrive complete');
}

/** Reads the beginning of a content. Returns the whole content with its type. Throws `unsupported_media_type`. */
async function typed(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ type: AttachmentType; chunks: AsyncGenerator<Buffer> }> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const type = attachmentType(head);
  if (type === null) {
    await chunks.return(undefined);
    throw new ApiError('unsupported_media_type', {
      message: 'A file must be a PNG, JPEG, GIF, WebP or AVIF image, or a PDF document.',
    });
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* chunks;
  }
  return { type, chunks: whole() };
}
