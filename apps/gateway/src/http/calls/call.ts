import type { IncomingMessage } from 'node:http';
import {
  newReply,
  readSessionCookies,
  type Services,
  type SharedCall,
  selectSessionToken,
} from '@firmdesk/domain';
import type { Request } from 'express';

const NO_SESSIONS: ReadonlyMap<string, string> = new Map();

const BEARER = /^Bearer +([^ ]+) *$/i;

/** Creates the state that the calls of a request share, from the request's headers. */
export function sharedCallOf(
  req: IncomingMessage,
  about: Pick<SharedCall, 'requestId' | 'transport' | 'ip'>,
): SharedCall {
  return {
    ...about,
    bearer: BEARER.exec(req.headers.authorization ?? '')?.[1] ?? null,
    sessions: NO_SESSIONS,
    workspaces:
      req.headers['service-workspace'] === undefined ? [] : (req.headersDistinct['service-workspace'] ?? []),
    idempotencyKey: singleHeader(req.headers['idempotency-key']),
    ifMatch: req.headers['if-match'] ?? null,
    traceparent: singleHeader(req.headers['traceparent']),
    span: null,
    reply: newReply(),
    identity: null,
    workspaceSlug: null,
    subscriptions: { open: 0 },
    watchClient: () => () => {},
  };
}

function singleHeader(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

/** Creates the shared state of a request over RPC. Its token is the bearer token, or the console's cookie for the named workspace. */
export function rpcCall(
  req: Request,
  { secureCookies }: Pick<Services, 'secureCookies'>,
  /** By default those that the headers name. */
  workspaces?: string[],
): SharedCall {
  const { requestId, ip } = req.info;
  const call = sharedCallOf(req, { requestId, transport: 'rpc', ip });
  if (workspaces) call.workspaces = workspaces;
  if (req.headers.authorization === undefined && isSameOrigin(req)) {
    call.sessions = readSessionCookies(req.headers.cookie, secureCookies);
    call.bearer = selectSessionToken(call.sessions, call.workspaces);
  }
  return call;
}

/** Returns whether a page of our own origin sent the request. Browsers send `Origin` with all requests except same-origin GETs and HEADs. */
export function isSameOrigin(req: IncomingMessage): boolean {
  const { origin, host, 'sec-fetch-site': site } = req.headers;
  if (origin === undefined) {
    return (
      (req.method === 'GET' || req.method === 'HEAD') &&
      (site === undefined || site === 'same-origin' || site === 'none')
    );
  }
  // An app shell has an origin such as `capacitor://localhost`, whatever the host of the service is.
  return /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).host === host;
}
