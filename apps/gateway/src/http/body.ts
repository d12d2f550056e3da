import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ApiError,
  BODY_LIMIT,
  invalidField,
  type ProcedureSpec,
  readLargeJson,
  UnreadableJsonError,
} from '@firmdesk/domain';
import express from 'express';
import { LargeBodies } from './large-bodies.ts';
import { requestInfoOf } from './request-info.ts';

const utf8 = new TextDecoder();

type BodySpec = Pick<ProcedureSpec, 'bodyLimit' | 'largeBodiesAtOnce'>;

/** Reads the JSON object of a body; `{}` for no body. */
export type ReadBody = (
  req: IncomingMessage,
  res: ServerResponse,
  spec: BodySpec,
) => Promise<Record<string, unknown>>;

/**
 * Makes the one reader of bodies of a process. It is called after the guards, so that the account is known. A body of more than
 * `BODY_LIMIT` bytes is admitted before it is read, and parsed by a thread.
 *
 * The reader raises `payload_too_large`, `unsupported_media_type`, `validation_failed`, and for a large body `rate_limited` and
 * `unavailable`.
 */
export function createBodyReader(): ReadBody {
  const largeBodies = new LargeBodies();

  return async function readBody(req, res, spec) {
    if (req.headers['transfer-encoding'] === undefined && !Number(req.headers['content-length'] ?? 0))
      return {};
    if (!isJson(req) || !isUtf8(req)) throw new ApiError('unsupported_media_type');
    const { call } = requestInfoOf(req);
    // In a batch, a call without a token may be the one that reads the body.
    const limit = call?.identity ? spec.bodyLimit : BODY_LIMIT;
    const largest = largestSizeOf(req, limit);
    if (largest > limit) throw new ApiError('payload_too_large');
    if (largest > BODY_LIMIT && call?.identity) {
      const account = call.identity.user.id;
      const leave = largeBodies.admit({ account, bytes: largest, atOnce: spec.largeBodiesAtOnce });
      // Until the answer has gone, the call works with what the body held.
      res.once('close', leave);
    }
    if (largest > BODY_LIMIT) takeTurns(req);
    const bytes = await receive(req, res, limit);
    let body: unknown;
    if (bytes.byteLength <= BODY_LIMIT) body = parse(bytes);
    else {
      const { value, digest } = await readLargeJson(bytes).catch((error: unknown) => {
        throw error instanceof UnreadableJsonError ? invalidField('', error.message, error) : error;
      });
      body = value;
      if (call) call.bodyDigest = digest;
    }
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw invalidField('', 'must be a JSON object');
    }
    return body as Record<string, unknown>;
  };
}

export function isJson(req: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

/** A body that is chunked or compressed does not say how large it is, and counts as the largest. */
function largestSizeOf({ headers }: IncomingMessage, limit: number): number {
  const isPlain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity';
  return isPlain && headers['content-length'] !== undefined ? Number(headers['content-length']) : limit;
}

function parse(bytes: Uint8Array): unknown {
  // A chunked body of no bytes is no body.
  if (bytes.byteLength === 0) return {};
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw invalidField('', 'must be valid JSON', cause);
  }
}

/** Bytes of another charset than UTF-8 are not taken (RFC 8259 §8.1). */
function isUtf8(req: IncomingMessage): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(req.headers['content-type']!)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

const receivers = new Map<number, ReturnType<typeof express.raw>>();

/** Takes one chunk in a turn of the event loop. Otherwise a connection that sends fast hands over megabytes before any other is read. */
function takeTurns(req: IncomingMessage): void {
  req.on('data', () => {
    req.pause();
    setImmediate(() => req.resume());
  });
}

/** The bytes of the body, decompressed. */
function receive(req: IncomingMessage, res: ServerResponse, limit: number): Promise<Buffer<ArrayBuffer>> {
  let receiver = receivers.get(limit);
  if (!receiver) {
    receiver = express.raw({ limit, type: () => true });
    receivers.set(limit, receiver);
  }
  const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>();
  receiver(req as never, res as never, (error?: unknown) => {
    if (error) reject(refusalOf(error as { type?: string }));
    else resolve((req as IncomingMessage & { body?: Buffer<ArrayBuffer> }).body || Buffer.alloc(0));
  });
  return promise;
}

/** What body-parser says, in the contract's words. */
function refusalOf(error: { type?: string }): ApiError {
  switch (error.type) {
    case 'entity.too.large':
      return new ApiError('payload_too_large', { cause: error });
    case 'encoding.unsupported':
      return new ApiError('unsupported_media_type', { cause: error });
    default:
      return invalidField('', 'must arrive complete', error);
  }
}
