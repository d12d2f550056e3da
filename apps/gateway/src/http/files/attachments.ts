import type { Socket } from 'node:net';
import { addAbortSignal, finished, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { idOf, MAX_ATTACHMENT_BYTES } from '@firmdesk/contract';
import {
  ApiError,
  authorizeAttachment,
  type Call,
  CONTENT_IDLE_MS,
  openAttachment,
  openMailAttachment,
  reportError,
  type Services,
  storeAttachment,
  THUMBNAIL_TYPE,
} from '@firmdesk/domain';
import type { Request, RequestHandler, Response } from 'express';
import { ensureNotCompressed } from '../calls/body.ts';
import { rpcCall } from '../calls/call.ts';
import { LargeBodies } from '../calls/large-bodies.ts';
import { matchesTag } from '../entity-tag.ts';
import { sendError } from '../send.ts';
import { Downloads } from './downloads.ts';

/** An account can send this many contents to a process at once. */
const MAX_UPLOADS = 10;
/** An upload ends at the latest after this time. */
const UPLOAD_MS = 600_000;

const headers = {
  // The rights are checked at each use. A browser that has the content gets 304.
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Authorization, Cookie, Origin',
};

type Path = { firm: string; id: string };

const uploading = new WeakSet<Socket>();

/** Returns whether a content arrives on a connection. Such a request may take longer than others. */
export function isUploading(socket: Socket): boolean {
  return uploading.has(socket);
}

/**
 * Returns the handlers that serve the contents of files of tickets and of mail at `/attachments/FIRM/ID`, and receive them there
 * (docs/decisions/0043).
 */
export function attachmentHandlers(services: Services): Record<'read' | 'upload', RequestHandler<Path>> {
  const uploads = new LargeBodies();
  const downloads = new Downloads();

  const handler =
    (procedure: string, serve: (call: Call, req: Request<Path>, res: Response) => Promise<void>) =>
    async (req: Request<Path>, res: Response) => {
      const call: Call = {
        ...rpcCall(req, services, [req.params.firm]),
        procedure,
        target: '',
        bodyDigest: null,
        readInput: async () => ({}),
        signal: undefined,
      };
      req.info.call = call;
      try {
        await serve(call, req, res);
      } catch (error) {
        if ((error as Error).name === 'AbortError' && res.closed) return;
        if (!(error instanceof ApiError)) throw error;
        reportError(services, call, error);
        sendError(res, error);
      }
    };

  async function upload(call: Call, req: Request<Path>, res: Response): Promise<void> {
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

  async function read(call: Call, req: Request<Path>, res: Response): Promise<void> {
    const { id } = req.params;
    const kind = kindOf(id);
    const isMail = kind === 'mailAttachment';
    const ctx = await authorizeAttachment(isMail ? 'readMail' : 'read', services, call);
    if (kind === null) throw new ApiError('resource_not_found');
    const file = await (isMail ? openMailAttachment : openAttachment)(ctx, id);
    const isSmall = new URLSearchParams(req.url!.split('?')[1]).get('size') === 'small';
    const etag = isSmall ? `"${id}-small"` : `"${id}"`;
    const common = { ...headers, ETag: etag };
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
      // A client that takes no byte for this long holds a connection to the store.
      res.setTimeout(CONTENT_IDLE_MS, () => res.destroy());
      addAbortSignal(signal, content);
      // An error closes the connection: the headers are sent, so that only this tells the client.
      await pipeline(whole(content, file.size), res).catch((error: unknown) => {
        const fields = { request_id: call.requestId, attachment: id, err: error };
        if (!signal.aborted) services.log.error(fields, 'a content was not sent completely');
      });
    });
  }

  return { read: handler('attachments.read', read), upload: handler('attachments.upload', upload) };
}

const ids = { attachment: idOf('attachment'), mailAttachment: idOf('mailAttachment') };

/** Returns what an id names; null for a malformed one. */
function kindOf(id: string): keyof typeof ids | null {
  if (ids.attachment.safeParse(id).success) return 'attachment';
  return ids.mailAttachment.safeParse(id).success ? 'mailAttachment' : null;
}

/** Yields a content of the store. Throws if it has another size than its file. */
async function* whole(content: Readable, size: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += (chunk as Buffer).length;
    if (bytes > size) break;
    yield chunk as Buffer;
  }
  if (bytes !== size)
    throw new Error(`the store has ${bytes > size ? 'more than the' : `${bytes} of the`} ${size} bytes`);
}

/** Returns a signal that is aborted when the response is sent, or its client has left. */
function closed(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.closed) controller.abort();
  res.once('close', () => controller.abort());
  return controller.signal;
}

/** Yields the body. An interrupted one, or one that takes too long, ends early, which the receiver notices by its size. */
async function* received(req: Request<Path>): AsyncGenerator<Buffer> {
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

/** Returns `Content-Disposition` with a name in any language (RFC 6266 §4.3, RFC 8187). */
function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
