import { createHash } from 'node:crypto';
import type { AttachmentType } from '@firmdesk/contract';
import { sql } from 'kysely';
import { withTransaction } from '../platform/database/transaction.ts';
import { stripMetadata } from '../platform/images/strip-metadata.ts';
import { throwUnavailable } from '../platform/objects/object-store.ts';
import { ApiError, invalidField } from '../platform/process/errors.ts';
import type { Services } from '../platform/services.ts';
import type { AccountContext } from '../procedures/call-context.ts';
import { type AttachmentRow, findAttachment, objectKey } from './attachment-row.ts';
import { fileType, HEAD_BYTES, isProgram } from './attachment-type.ts';
import { requestScan } from './request-scan.ts';

/** A content that a client sends. */
export interface ReceivedContent {
  /** The announced number of bytes; null if the client has announced none. */
  size: number | null;
  chunks: AsyncIterable<Buffer>;
}

/**
 * Stores the content of a file that the caller has announced, while it arrives. An image of a ticket is stored without its metadata, because a
 * trader can get it; others are stored as they are. A repeated upload of the same bytes changes nothing. Throws `resource_not_found` for a file of
 * another account, and `validation_failed` if the size is another one than that announced or another content is stored already.
 */
export async function storeAttachment(
  ctx: AccountContext,
  id: string,
  { size, chunks }: ReceivedContent,
): Promise<void> {
  const file = await findAttachment(ctx.services, ctx.workspace.id, id);
  if (!file || file.uploader_id !== ctx.identity.user.id) throw new ApiError('resource_not_found');
  if (size !== file.size)
    throw invalidField('Content-Length', `must be ${file.size}, the size that was announced`);
  const complete = exactly(file, chunks);
  if (file.type !== null) return ensureSame(ctx, file, sha256(storedContent(file, file.type, complete)));
  const { services, workspace } = ctx;
  const typedContent = await typed(file, complete);
  // Each upload writes a content under a key of its own, so that a late one cannot replace what a message contains.
  const content = crypto.randomUUID();
  const key = objectKey(workspace.id, id, content);
  // The key is stored before the content is written, so that the content is deleted with the file if this process ends.
  if (!(await changeRow(ctx, id, 'uploads = array_append(uploads, $3)', [content])))
    throw new ApiError('resource_not_found');
  let isStored = false;
  try {
    await services.objects.write(key, typedContent.chunks, file.size).catch(async (error: unknown) => {
      // The deletion of its firm also deletes contents that are being written.
      if (await findAttachment(ctx.services, ctx.workspace.id, id)) throw error;
      throw new ApiError('resource_not_found', { cause: error });
    });
    isStored = await markStored(ctx, id, content, typedContent);
    if (isStored) return;
    // The file was removed meanwhile, or another upload ended first.
    const stored = await findAttachment(ctx.services, ctx.workspace.id, id);
    if (!stored) throw new ApiError('resource_not_found');
    await ensureSame(ctx, stored, sha256OfStored(services, key));
  } finally {
    if (!isStored) await discard(ctx, id, content);
  }
}

/** Records that a content is stored, and lets it be scanned. Returns false if the file was removed, or another upload has ended first. */
async function markStored(
  { services, workspace }: AccountContext,
  id: string,
  content: string,
  { type, isProgram }: TypedContent,
): Promise<boolean> {
  return withTransaction(services, async (ctx) => {
    const scan = services.scanner ? 'waiting' : null;
    const { rows } = await sql`
      update attachments set content = ${content}, uploads = array_remove(uploads, ${content}), type = ${type}, is_program = ${isProgram},
        scan = ${scan}, uploaded_at = ${ctx.now.toISOString()}
      where workspace_id = ${workspace.id} and id = ${id} and deleted_at is null and uploaded_at is null
      returning id`.execute(ctx.db);
    const isStored = rows.length === 1;
    if (isStored && scan) await requestScan(ctx, workspace.id, id);
    return isStored;
  });
}

/** Throws `validation_failed` if a content differs from the stored one. */
async function ensureSame(
  { services, workspace }: AccountContext,
  { id, content }: AttachmentRow,
  received: Promise<string>,
): Promise<void> {
  if ((await received) !== (await sha256OfStored(services, objectKey(workspace.id, id, content))))
    throw invalidField('', 'must be the content that is stored already: announce a file for another one');
}

async function sha256(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

async function sha256OfStored({ objects }: Pick<Services, 'objects'>, key: string): Promise<string> {
  return sha256((await objects.read(key)) ?? []).catch(throwUnavailable);
}

/** Deletes a content that is not stored. If this fails, it is deleted with the file. */
async function discard(ctx: AccountContext, id: string, content: string): Promise<void> {
  const { services, workspace } = ctx;
  try {
    await services.objects.delete([objectKey(workspace.id, id, content)]);
    await changeRow(ctx, id, 'uploads = array_remove(uploads, $3)', [content]);
  } catch (error) {
    services.log.warn({ err: error, attachment: id }, 'an upload that failed is deleted with its file');
  }
}

/** Changes a file that is not deleted. Returns whether it did. */
async function changeRow(
  { services, workspace }: AccountContext,
  id: string,
  set: string,
  values: readonly string[],
): Promise<boolean> {
  const { rowCount } = await services.pool.query(
    `update attachments set ${set} where workspace_id = $1 and id = $2 and deleted_at is null`,
    [workspace.id, id, ...values],
  );
  return rowCount === 1;
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

/** Returns what is stored of a content. */
function storedContent(
  { ticket_id }: AttachmentRow,
  type: AttachmentType,
  chunks: AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return ticket_id === null ? chunks : stripMetadata(type, chunks);
}

interface TypedContent {
  type: AttachmentType;
  isProgram: boolean;
  chunks: AsyncIterable<Buffer>;
}

/** Reads the beginning of a content. Returns its type, and what is stored of it. */
async function typed(file: AttachmentRow, chunks: AsyncGenerator<Buffer>): Promise<TypedContent> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const type = fileType(head);
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* chunks;
  }
  return { type, isProgram: isProgram(head), chunks: storedContent(file, type, whole()) };
}
