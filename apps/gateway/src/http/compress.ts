import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import compression from 'compression';
import type { Request, Response } from 'express';
import Negotiator from 'negotiator';

/** The size from which a body is compressed. A smaller one fits into a packet or two anyway. */
export const COMPRESS_FROM_BYTES = 1_024;

/*
 * The levels were measured with calendar windows and the OpenAPI document: Brotli 2 makes lists smaller than gzip 6 does, in two
 * fifths of its time. Windows of 256 KiB find the repetitions of lists, and take a sixteenth of the default memory per response.
 */
const GZIP = { chunkSize: 65_536, level: 6 };
const BROTLI = {
  chunkSize: 65_536,
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Express middleware that compresses bodies with Brotli or gzip, as `Accept-Encoding` prefers, in the threads of zlib. */
export const compressResponses = compression({ threshold: COMPRESS_FROM_BYTES, ...GZIP, brotli: BROTLI });

/** Compresses the body that is about to be written. */
export function compress(req: IncomingMessage, res: ServerResponse): void {
  // The middleware uses only what Node's own request and response have.
  compressResponses(req as Request, res as Response, () => {});
}

/** Compresses a response of unknown length if the first piece of its body is long enough. */
export function compressIfLong(req: IncomingMessage, res: ServerResponse): void {
  const { write } = res;
  res.write = ((chunk: string | Uint8Array, ...rest: []) => {
    res.write = write;
    if (Buffer.byteLength(chunk) >= COMPRESS_FROM_BYTES) compress(req, res);
    return res.write(chunk, ...rest);
  }) as typeof write;
}

export type Encoding = 'br' | 'gzip';

/** The package's types omit the preferred encodings, which decide between equal qualities. */
type EncodingNegotiator = { encoding(available: string[], preferred: string[]): string | undefined };

/** Returns the encoding that `Accept-Encoding` prefers, by the rules of {@link compressResponses}; null for none. */
export function encodingOf(req: IncomingMessage): Encoding | null {
  const negotiator: EncodingNegotiator = new Negotiator(req);
  const encoding = negotiator.encoding(['br', 'gzip', 'identity'], ['br', 'gzip']);
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
}

/** Compresses a body in a thread of zlib while it is written, and keeps the result. */
export class Compressor {
  readonly #stream;
  readonly #chunks: Buffer[] = [];
  readonly #finished: Promise<void>;

  constructor(encoding: Encoding) {
    this.#stream = encoding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
    this.#stream.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#finished = finished(this.#stream);
    // `end` reports an error. Without it, the body is not sent.
    this.#finished.catch(() => {});
  }

  write(chunk: Uint8Array): void {
    this.#stream.write(chunk);
  }

  async end(): Promise<readonly Buffer[]> {
    this.#stream.end();
    await this.#finished;
    return this.#chunks;
  }

  destroy(): void {
    this.#stream.destroy();
  }
}
