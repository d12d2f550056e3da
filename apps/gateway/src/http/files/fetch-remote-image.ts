import type { IncomingMessage } from 'node:http';
import {
  fileType,
  guardedRequest,
  namesForbiddenAddress,
  OutboundError,
  type OutboundNetwork,
} from '@firmdesk/domain';

/** The largest image. It is held in memory. */
export const MAX_REMOTE_IMAGE_BYTES = 5 * 1024 * 1024;
/** An image takes at most this long, redirects included. */
const FETCH_MS = 10_000;
const MAX_REDIRECTS = 3;

/** Why there is no image. Its text is for logs. */
export class RemoteImageError extends Error {}

/** What tests replace: everything has the value for the internet by default. */
export interface RemoteImageNetwork extends OutboundNetwork {
  ports?: readonly number[];
  timeoutMs?: number;
}

/**
 * Fetches an image from a web server, which learns nothing but our address: no cookie, no referrer, no language. Only public addresses are
 * reached, at each hop (`guardedRequest`). Throws {@link RemoteImageError}.
 */
export async function fetchRemoteImage(
  url: string,
  { timeoutMs = FETCH_MS, ...network }: RemoteImageNetwork = {},
): Promise<{ type: string; content: Buffer }> {
  const signal = AbortSignal.timeout(timeoutMs);
  let next = url;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await get(targetOf(next, network), network, signal);
    const { statusCode = 0, headers } = answer;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      answer.destroy();
      next = URL.parse(headers.location, next)?.href ?? '';
      continue;
    }
    try {
      if (statusCode !== 200) throw new RemoteImageError(`the server answered ${statusCode}`);
      const content = await bodyOf(answer, signal);
      const type = fileType(content);
      if (!type.startsWith('image/')) throw new RemoteImageError('the content is no image');
      return { type, content };
    } finally {
      answer.destroy();
    }
  }
  throw new RemoteImageError('too many redirects');
}

function targetOf(text: string, { ports = [80, 443], ...network }: RemoteImageNetwork): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new RemoteImageError('not a web address');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (!ports.includes(port)) throw new RemoteImageError('a port that web servers do not have');
  if (namesForbiddenAddress(url, network)) throw new RemoteImageError('not a public address');
  return url;
}

async function get(url: URL, network: RemoteImageNetwork, signal: AbortSignal): Promise<IncomingMessage> {
  try {
    return await guardedRequest(url, { method: 'GET', headers: { Accept: 'image/*' }, signal }, network);
  } catch (error) {
    if (error instanceof OutboundError) throw new RemoteImageError(error.message, { cause: error });
    throw error;
  }
}

async function bodyOf(answer: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const tooLarge = new RemoteImageError(`more than ${MAX_REMOTE_IMAGE_BYTES} bytes`);
  if (Number(answer.headers['content-length'] ?? 0) > MAX_REMOTE_IMAGE_BYTES) throw tooLarge;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_REMOTE_IMAGE_BYTES) throw tooLarge;
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RemoteImageError) throw error;
    throw new RemoteImageError(signal.aborted ? 'it took too long' : 'the connection was lost');
  }
  return Buffer.concat(chunks);
}
