import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '@firmdesk/domain';
import express from 'express';

const readers = new Map<number, ReturnType<typeof express.json>>();

/**
 * The JSON object that the body holds; `{}` for none. Read when a call asks for it, which is after it was let in.
 * Raises `payload_too_large`, `unsupported_media_type`, `validation_failed`.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
): Promise<Record<string, unknown>> {
  if (req.headers['transfer-encoding'] === undefined && !Number(req.headers['content-length'] ?? 0))
    return {};
  if (!isJson(req)) throw new ApiError('unsupported_media_type');
  const body = await parse(req, res, limit);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw notAnObject('is not a JSON object');
  }
  return body as Record<string, unknown>;
}

export function isJson(req: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

function parse(req: IncomingMessage, res: ServerResponse, limit: number): Promise<unknown> {
  let reader = readers.get(limit);
  if (!reader) {
    reader = express.json({ limit, strict: false, type: () => true });
    readers.set(limit, reader);
  }
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  reader(req as never, res as never, (error?: unknown) => {
    if (error) return reject(refusal(error as { type?: string }));
    const { body } = req as IncomingMessage & { body?: unknown };
    // A chunked body of no bytes is no body.
    resolve(body === undefined ? {} : body);
  });
  return promise;
}

/** What body-parser says, in the contract's words. */
function refusal(error: { type?: string }): ApiError {
  switch (error.type) {
    case 'entity.too.large':
      return new ApiError('payload_too_large', { cause: error });
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', { cause: error });
    default:
      return notAnObject('is not valid JSON', error);
  }
}

function notAnObject(message: string, cause?: unknown): ApiError {
  return new ApiError('validation_failed', {
    message: `The body ${message}.`,
    fields: [{ path: '', message }],
    cause,
  });
}
