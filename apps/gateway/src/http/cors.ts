import type { RequestHandler } from 'express';

/** The headers of requests that a page of another origin may send. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Service-Workspace',
  'traceparent',
  'tracestate',
  'trpc-accept',
  'X-Request-Id',
];
/** The headers of responses that such a page may read, beside those that browsers always show. */
const RESPONSE_HEADERS = [
  'Allow',
  'ETag',
  'Idempotency-Body-Mismatch',
  'Idempotent-Replayed',
  'Ignored-Parameters',
  'Original-Request',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
/** How long a browser may keep the result of a preflight. Chromium keeps it for two hours at most. */
const MAX_AGE_SECONDS = 7_200;

/** The origins whose pages may call the API with a bearer token: `https://app.example`. */
export type AllowedOrigins = ReadonlySet<string>;

export const NO_ORIGINS: AllowedOrigins = new Set();

/** The origin of an app shell or a browser extension: `capacitor://localhost`, `chrome-extension://abcdef`. */
const APP_ORIGIN = /^([a-z][a-z\d+.-]*):\/\/[\w.-]+(?::\d+)?$/;
/** Schemes that need another form, or whose pages have no origin. */
const NO_APP_SCHEMES: ReadonlySet<string> = new Set([
  'about',
  'blob',
  'data',
  'file',
  'ftp',
  'http',
  'https',
  'javascript',
  'ws',
  'wss',
]);

/** Reads a list of origins with commas between. Throws for an entry that is not exactly an origin. */
export function readOrigins(text: string): AllowedOrigins {
  const origins = text.split(',').map((entry) => entry.trim());
  const wrong = origins.find((origin) => !isWebOrigin(origin) && !isAppOrigin(origin));
  if (wrong !== undefined) throw new Error(`"${wrong}" is not an origin such as https://app.example.com`);
  return new Set(origins);
}

function isWebOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

function isAppOrigin(text: string): boolean {
  const scheme = APP_ORIGIN.exec(text)?.[1];
  return scheme !== undefined && !NO_APP_SCHEMES.has(scheme);
}

/**
 * Express middleware that adds the CORS headers for a page of an allowed origin, and answers its preflight. Credentials are never
 * allowed: browsers send no cookies with such calls, and the cookies of a page of another origin are not read (`isSameOrigin`).
 */
export function allowOrigins(origins: AllowedOrigins): RequestHandler {
  return (req, res, next) => {
    if (origins.size === 0) return next();
    // The header is sent to requests without an origin too, so that no cache serves their response to a page.
    res.set('Vary', 'Origin');
    const { origin } = req.headers;
    if (origin === undefined || !origins.has(origin)) return next();
    res.set('Access-Control-Allow-Origin', origin);
    if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) {
      res.set('Access-Control-Expose-Headers', RESPONSE_HEADERS.join(', '));
      return next();
    }
    req.info.route = 'preflight';
    res
      .status(204)
      .set({
        'Access-Control-Allow-Methods': METHODS.join(', '),
        'Access-Control-Allow-Headers': REQUEST_HEADERS.join(', '),
        'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
      })
      .end();
  };
}
