import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import {
  ApiError,
  BODY_LIMIT,
  bodyDigestOf,
  type Call,
  invalidField,
  type ProcedureSpec,
  parseJson,
  readLargeJson,
  UnreadableJsonError,
} from '@firmdesk/domain';
import { LargeBodies, type LargeBody } from './large-bodies.ts';

type BodySpec = Pick<ProcedureSpec, 'bodyLimit' | 'maxConcurrentLargeBodies'>;

export interface ParsedBody {
  /** The JSON object; `{}` for an empty body. */
  value: Record<string, unknown>;
  /** A hash of the bytes as received; null if there is no body. */
  digest: Uint8Array | null;
}

/** Reads and parses the body of a request. */
export type ReadBody = (
  req: IncomingMessage,
  res: ServerResponse,
  spec: BodySpec,
  /** The caller: only an authenticated one may send more than `BODY_LIMIT` bytes. */
  identity: Call['identity'],
) => Promise<ParsedBody>;

/**
 * Creates the body reader of a process. A body of more than `BODY_LIMIT` bytes is admitted before it is read, and parsed in a
 * thread.
 *
 * The reader throws `payload_too_large`, `unsupported_media_type`, `validation_failed`, and for a large body `rate_limited` and
 * `unavailable`.
 */
export function createBodyReader(): ReadBody {
  const largeBodies = new LargeBodies();

  return async function readBody(req, res, spec, identity) {
    if (req.headers['transfer-encoding'] === undefined && !Number(req.headers['content-length'] ?? 0)) {
      return { value: {}, digest: null };
    }
    if (!isJson(req) || !isUtf8(req)) throw new ApiError('unsupported_media_type');
    const coding = codingOf(req);
    if (!Object.hasOwn(decompressors, coding))
      throw unsupportedCoding(coding, Object.keys(decompressors), 'Send gzip, deflate or br, or none.');
    const limit = identity ? spec.bodyLimit : BODY_LIMIT;
    const largest = largestSizeOf(req, limit);
    if (largest > limit) throw tooLarge(limit);
    let large: LargeBody | null = null;
    if (largest > BODY_LIMIT && identity) {
      large = largeBodies.admit(identity.user.id, spec.maxConcurrentLargeBodies);
      // The call uses the content of the body until the response is sent.
      res.once('close', large.release);
    }
    const parts = await receive(req, limit, large);
    try {
      const { value, digest } =
        parts.length > 1 ? await readLargeJson(identity!.user.id, parts) : readSmallJson(parts[0]!);
      return { value: objectOf(value), digest };
    } catch (error) {
      throw error instanceof UnreadableJsonError ? invalidField('', error.message, error) : error;
    }
  };
}

/** Parses and hashes a body of at most `BODY_LIMIT` bytes. A chunked one may be empty. */
function readSmallJson(bytes: Uint8Array): { value: unknown; digest: Uint8Array } {
  return { value: bytes.length > 0 ? parseJson(bytes) : {}, digest: bodyDigestOf(bytes) };
}

/** Returns a value that is a JSON object. Throws {@link UnreadableJsonError} for another one. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UnreadableJsonError('must be a JSON object');
  }
  return value as Record<string, unknown>;
}

function tooLarge(limit: number): ApiError {
  return new ApiError('payload_too_large', { message: `The body must have at most ${limit} bytes.` });
}

/** Returns whether the content type is `application/json`. */
export function isJson(req: IncomingMessage): boolean {
  return /^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '');
}

/** Returns the largest possible size of a body. A chunked or compressed body does not declare its size. */
function largestSizeOf({ headers }: IncomingMessage, limit: number): number {
  return codingOf({ headers }) === 'identity' && headers['content-length'] !== undefined
    ? Number(headers['content-length'])
    : limit;
}

/** Returns whether the body is declared as UTF-8, which JSON requires (RFC 8259 §8.1). */
function isUtf8(req: IncomingMessage): boolean {
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(req.headers['content-type']!)?.[1];
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/** The content codings of a body (RFC 9110 §8.4.1). */
const decompressors: Readonly<Record<string, (() => Readable & NodeJS.WritableStream) | null>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  identity: null,
};

function codingOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  return headers['content-encoding']?.toLowerCase() || 'identity';
}

/** The cause of an error by which a content coding is refused. Its response names the codings that are accepted. */
export class UnsupportedCodingError extends Error {
  readonly accepted: string;

  constructor(accepted: readonly string[]) {
    super();
    this.accepted = accepted.join(', ');
  }
}

/** Throws `unsupported_media_type` for a body that is compressed, where it is taken as it is sent. */
export function ensureNotCompressed(req: IncomingMessage): void {
  const coding = codingOf(req);
  if (coding !== 'identity') throw unsupportedCoding(coding, ['identity'], 'Send the content as it is.');
}

function unsupportedCoding(coding: string, accepted: readonly string[], advice: string): ApiError {
  return new ApiError('unsupported_media_type', {
    message: `The content coding ${JSON.stringify(coding.slice(0, 50))} is not supported. ${advice}`,
    cause: new UnsupportedCodingError(accepted),
  });
}

/**
 * Receives the bytes of the body, decompressed. Returns one part if they are at most `BODY_LIMIT`, otherwise several: joining those of
 * large bodies that end at the same time would block the event loop.
 */
async function receive(
  req: IncomingMessage,
  limit: number,
  large: LargeBody | null,
): Promise<Buffer<ArrayBuffer>[]> {
  const parts: Buffer<ArrayBuffer>[] = [];
  /** Received after the last part. A client can send chunks of one byte. */
  const chunks: Buffer[] = [];
  let chunksSize = 0;
  let size = 0;
  const source = decompressed(req);
  try {
    // Destroying the stream would close the connection before the response.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      large?.add(chunk.length);
      chunks.push(chunk);
      chunksSize += chunk.length;
      if (chunksSize > BODY_LIMIT) {
        parts.push(Buffer.concat(chunks.splice(0), chunksSize));
        chunksSize = 0;
      }
      // A fast sender would otherwise deliver megabytes before any other connection is read.
      if (large) await setImmediate();
    }
  } catch (error) {
    req.unpipe();
    // The rest is discarded, so that the connection can carry the next request.
    req.resume();
    if (source !== req) source.destroy();
    if (error instanceof ApiError) throw error;
    throw invalidField('', faultOf(error as NodeJS.ErrnoException, source === req), error);
  }
  return [...parts, Buffer.concat(chunks, chunksSize)];
}

function decompressed(req: IncomingMessage): Readable {
  const create = decompressors[codingOf(req)];
  if (!create) return req;
  const decompressor = create();
  req.once('error', (error) => decompressor.destroy(error));
  return req.pipe(decompressor);
}

/** Says why a body could not be read: its connection or its compressed bytes ended early, or they are of another coding. */
function faultOf({ code }: NodeJS.ErrnoException, isConnection: boolean): string {
  const hasEnded = isConnection || code === 'Z_BUF_ERROR' || code === 'ECONNRESET';
  return hasEnded ? 'must arrive complete' : 'must be compressed as its Content-Encoding says';
}
