import { constants } from 'node:zlib';
import compression from 'compression';
import type { RequestHandler } from 'express';

/** The size from which a body is compressed. A smaller one fits into a packet or two anyway. */
export const COMPRESS_FROM_BYTES = 1_024;

/*
 * The levels were measured with calendar windows and the OpenAPI document: Brotli 2 makes lists smaller than gzip 6 does, in two
 * fifths of its time. Windows of 256 KiB find the repetitions of lists, and take a sixteenth of the default memory per response.
 */
const GZIP = { chunkSize: 65_536, level: 6 };
export const BROTLI = {
  chunkSize: 65_536,
  params: { [constants.BROTLI_PARAM_QUALITY]: 2, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** Express middleware that compresses bodies with Brotli or gzip, as `Accept-Encoding` prefers, in the threads of zlib. */
export const compressResponses: RequestHandler = compression({
  threshold: COMPRESS_FROM_BYTES,
  // The length of a response with a secret could tell a part of the secret (BREACH).
  filter: (req, res) => res.locals['hasSecret'] !== true && compression.filter(req, res),
  ...GZIP,
  brotli: BROTLI,
});

/**
 * Express middleware for responses of unknown length, which `compression` would compress however short they are: compresses one whose
 * first piece is long enough.
 */
export const compressIfLong: RequestHandler = (req, res, next) => {
  const { write } = res;
  res.write = ((chunk: string | Uint8Array, ...rest: []) => {
    res.write = write;
    if (Buffer.byteLength(chunk) >= COMPRESS_FROM_BYTES) compressResponses(req, res, () => {});
    return res.write(chunk, ...rest);
  }) as typeof write;
  next();
};
