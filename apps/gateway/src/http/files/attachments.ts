import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import { idOf, MAX_ATTACHMENT_BYTES } from '@firmdesk/contract';
import {
  ApiError,
  authorizeAttachment,
  type Call,
  CONTENT_IDLE_MS,
  openAttachment,
  openMailAttachment,
  type Services,
  storeAttachment,
  THUMBNAIL_TYPE,
} from '@firmdesk/domain';
import type { Request, RequestHandler, Response } from 'express';
import { ensureNotCompressed } from '../calls/body.ts';
import { LargeBodies } from '../calls/large-bodies.ts';
import { matchesTag } from '../entity-tag.ts';
import { Downloads } from './downloads.ts';
import { closed, disposition, type FilePath, fileHandler, fileHeaders, sendContent } from './send-content.ts';

/** An account can send this many contents to a process at once. */
const MAX_UPLOADS = 10;
/** An upload ends at the latest after this time. */
const UPLOAD_MS = 600_000;

const uploading = new WeakSet<Socket>();

/** Returns whether a content arrives on a connection. Such a request may take longer than others. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Returns the handlers that serve the contents of files of tickets and of mail at `/attachments/FIRM/ID`, and receive them there
 * (docs/decisions/0043).
 */
export function attachmentHandlers(services: Services): Record<'read' | 'upload', RequestHandler<FilePath>> {
  const uploads = new LargeBodies();
  const downloads = new Downloads();

  async function upload(call: Call, req: Request<FilePath>, res: Response): Promise<void> {
    const { socket } = req;
    const { id } = req.params;
    let release = () => {};
    try {
      const kind = kindOf(id);
      const use = kind === 'mailAttachment' ? 'uploadMail' : 'upload';
      const ctx = await authorizeAttachment(use, services, call);
      if (kind === null) throw new ApiError('resource_not_found');
      ensureNotCompressed(req);
      ({ release } = uploads.admit(ctx.identity.user.id, MAX_UPLOADS));
      const size = req.headers['content-length'] === undefined ? null : Number(req.headers['content-length']);
      if (size !== null && size > MAX_ATTACHMENT_BYTES)
        throw new ApiError('payload_too_large', { message: 'A file must have at most 25 MB.' });
      uploading.add(socket);
      const stop = () => req.destroy();
      const timeout = setTimeout(stop, UPLOAD_MS);
      req.setTimeout(CONTENT_IDLE_MS, stop);
      // The time limits also apply while the rest of a rejected content is awaited.
      finished(req, () => {
        clearTimeout(timeout);
        uploading.delete(socket);
      });
      // A content may arrive for minutes. What a dismissed account sends to the end is not stored.
      const chunks = endingWith(received(req), () =>
        authorizeAttachment(use, services, call, { isAgain: true }),
      );
      await storeAttachment(ctx, id, { size, chunks });
      res.writeHead(204).end();
    } finally {
      release();
      // The connection can carry the next request only when the rest has arrived. What is too large is not awaited.
      // A receiver that has stopped in the middle may still listen, which would keep the rest from flowing.
      if (Number(req.headers['content-length'] ?? 0) <= MAX_ATTACHMENT_BYTES)
        req.removeAllListeners('readable').resume();
      else res.once('finish', () => socket.destroySoon());
    }
  }

  async function read(call: Call, req: Request<FilePath>, res: Response): Promise<void> {
    const { id } = req.params;
    const kind = kindOf(id);
    const isMail = kind === 'mailAttachment';
    const ctx = await authorizeAttachment(isMail ? 'readMail' : 'read', services, call);
    if (kind === null) throw new ApiError('resource_not_found');
    const file = await (isMail ? openMailAttachment : openAttachment)(ctx, id);
    const isSmall = new URLSearchParams(req.url!.split('?')[1]).get('size') === 'small';
    const etag = isSmall ? `"${id}-small"` : `"${id}"`;
    const common = { ...fileHeaders, ETag: etag };
    if (matchesTag(req.headers['if-none-match'], etag)) return void res.writeHead(304, common).end();
    await downloads.run(ctx.identity.user.id, async () => {
      const signal = closed(res);
      signal.throwIfAborted();
      const thumbnail = isSmall ? await file.readThumbnail(signal) : null;
      const content = thumbnail || req.method === 'HEAD' ? null : await file.read();
      res.writeHead(200, {
        ...common,
        'Content-Type': thumbnail ? THUMBNAIL_TYPE : file.type,
        'Content-Length': thumbnail?.length ?? file.size,
        // A browser shows no PDF document in a sandbox.
        'Content-Disposition': disposition(
          file.type.startsWith('image/') ? 'inline' : 'attachment',
          file.name,
        ),
      });
      if (!content) return void res.end(req.method === 'HEAD' ? undefined : thumbnail);
      await sendContent(services, call, res, { file: id, content, size: file.size, signal });
    });
  }

  return {
    read: fileHandler(services, 'attachments.read', read),
    upload: fileHandler(services, 'attachments.upload', upload),
  };
}

const ids = { attachment: idOf('attachment'), mailAttachment: idOf('mailAttachment') };

/** Returns what an id names; null for a malformed one. */
function kindOf(id: string): keyof typeof ids | null {
  if (ids.attachment.safeParse(id).success) return 'attachment';
  return ids.mailAttachment.safeParse(id).success ? 'mailAttachment' : null;
}

/** Yields the body. An interrupted one, or one that takes too long, ends early, which the receiver notices by its size. */
async function* received(req: Request<FilePath>): AsyncGenerator<Buffer> {
  try {
    // Destroying the stream would close the connection before the response.
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    // The connection has ended.
  }
}

/** Yields a content. Its end is withheld until it is permitted. */
async function* endingWith(chunks: AsyncIterable<Buffer>, permit: () => Promise<unknown>) {
  yield* chunks;
  await permit();
}
