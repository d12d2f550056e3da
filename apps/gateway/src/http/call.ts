import type { IncomingMessage } from 'node:http';
import { newReply, type SharedCall } from '@firmdesk/domain';

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
