import { addAbortSignal, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError, type Call, CONTENT_IDLE_MS, reportError, type Services } from '@firmdesk/domain';
import type { Request, RequestHandler, Response } from 'express';
import { rpcCall } from '../calls/call.ts';
import { sendError } from '../send.ts';

export const fileHeaders = {
  // The rights are checked at each use. A browser that has the content gets 304.
  'Cache-Control': 'private, no-cache',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Authorization, Cookie, Origin',
};

/** The parameters of a path of a firm's file. */
export type FilePath = { firm: string; id: string };

/** Returns a handler that serves files of a firm as calls of a procedure. */
export function fileHandler(
  services: Services,
  procedure: string,
  serve: (call: Call, req: Request<FilePath>, res: Response) => Promise<void>,
): RequestHandler<FilePath> {
  return async (req, res) => {
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
}

/** Sends a content whose headers are written. */
export async function sendContent(
  services: Services,
  call: Call,
  res: Response,
  { file, content, size, signal }: { file: string; content: Readable; size: number; signal: AbortSignal },
): Promise<void> {
  // A client that takes no byte for this long holds a connection to the store.
  res.setTimeout(CONTENT_IDLE_MS, () => res.destroy());
  addAbortSignal(signal, content);
  // An error closes the connection: the headers are sent, so that only this tells the client.
  await pipeline(whole(content, size), res).catch((error: unknown) => {
    const fields = { request_id: call.requestId, file, err: error };
    if (!signal.aborted) services.log.error(fields, 'a content was not sent completely');
  });
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
export function closed(res: Response): AbortSignal {
  const controller = new AbortController();
  if (res.closed) controller.abort();
  res.once('close', () => controller.abort());
  return controller.signal;
}

/** Returns `Content-Disposition` with a name in any language (RFC 6266 §4.3, RFC 8187). */
export function disposition(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
