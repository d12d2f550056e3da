import { ApiError, type Picture, readAvatar, readLogo, type Services } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import { matchesTag } from '../entity-tag.ts';
import { sendError } from '../send.ts';

const headers = {
  // The content of a hash never changes, and is in no cache a day after the person was erased: proxies do not keep it.
  'Cache-Control': 'private, max-age=86400',
  'X-Content-Type-Options': 'nosniff',
  // An SVG picture that is opened as a page can neither run scripts nor load or frame anything.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  // Apps on other origins show the pictures, and may read them.
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
};

/** Serves the avatars of accounts at `/avatars/HASH`, without a token (docs/decisions/0043). */
export const avatarHandler = (services: Services) => pictureHandler((hash) => readAvatar(services, hash));

/** Serves the logos of firms at `/logos/HASH`, without a token: pages before the sign-in and mail show them. */
export const logoHandler = (services: Services) => pictureHandler((hash) => readLogo(services, hash));

function pictureHandler(read: (hash: string) => Promise<Picture | null>): RequestHandler<{ hash: string }> {
  return async (req, res) => {
    const { hash } = req.params;
    const picture = /^[0-9a-f]{64}$/.test(hash) ? await read(hash) : null;
    if (!picture) return sendError(res, new ApiError('resource_not_found'));
    const etag = `"${hash}"`;
    res.set({ ...headers, ETag: etag });
    if (matchesTag(req.headers['if-none-match'], etag)) return void res.writeHead(304).end();
    res.writeHead(200, { 'Content-Type': picture.type, 'Content-Length': picture.content.length });
    res.end(req.method === 'HEAD' ? undefined : picture.content);
  };
}
