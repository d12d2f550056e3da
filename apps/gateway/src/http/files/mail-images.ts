import { ApiError, authorizeAttachment, type Call, reportError, type Services } from '@firmdesk/domain';
import type { RequestHandler } from 'express';
import { rpcCall } from '../calls/call.ts';
import { sendError } from '../send.ts';
import { Downloads } from './downloads.ts';
import { fetchRemoteImage, RemoteImageError } from './fetch-remote-image.ts';

const headers = {
  'Cache-Control': 'private, max-age=86400',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Content-Disposition': 'inline',
  'Cross-Origin-Resource-Policy': 'same-origin',
  Vary: 'Authorization, Cookie',
};

/** Longer URLs are refused. */
const MAX_URL = 8_000;

/**
 * Serves images that mail refers to at `/mail-images/FIRM?url=URL`, so that their servers do not learn who reads the mail. An account fetches as
 * many at once as it downloads files.
 */
export function mailImageHandler(services: Services): RequestHandler<{ firm: string }> {
  const downloads = new Downloads();
  return async (req, res) => {
    const call: Call = {
      ...rpcCall(req, services, [req.params.firm]),
      procedure: 'mail.image',
      target: '',
      bodyDigest: null,
      readInput: async () => ({}),
      signal: undefined,
    };
    req.info.call = call;
    try {
      const { identity } = await authorizeAttachment('readMail', services, call);
      const url = new URLSearchParams(req.url.split('?')[1]).get('url') ?? '';
      if (url.length > MAX_URL) throw new ApiError('resource_not_found');
      await downloads.run(identity.user.id, async () => {
        if (res.closed) return;
        const { type, content } = await fetchRemoteImage(url);
        res.writeHead(200, { ...headers, 'Content-Type': type, 'Content-Length': content.length });
        res.end(req.method === 'HEAD' ? undefined : content);
      });
    } catch (error) {
      // The reason is only logged: it would tell which names there are in the network of the service.
      const isRemote = error instanceof RemoteImageError;
      if (isRemote)
        services.log.info(
          { request_id: call.requestId, reason: error.message },
          'a remote image is not shown',
        );
      const refused = isRemote ? new ApiError('resource_not_found') : error;
      if (!(refused instanceof ApiError)) throw error;
      reportError(services, call, refused);
      sendError(res, refused);
    }
  };
}
