import type { IncomingMessage } from 'node:http';
import { type Call, newReply } from '@firmdesk/domain';

const NO_SESSIONS: ReadonlyMap<string, string> = new Map();

const BEARER = /^Bearer +([^ ]+) *$/i;

/** What every transport reads off a request's headers. */
export function callOf(
  req: IncomingMessage,
  about: Pick<Call, 'requestId' | 'transport' | 'target' | 'ip'>,
): Call {
  return {
    ...about,
    bearer: BEARER.exec(req.headers.authorization ?? '')?.[1] ?? null,
    sessions: NO_SESSIONS,
    workspaces:
      req.headers['service-workspace'] === undefined ? [] : (req.headersDistinct['service-workspace'] ?? []),
    idempotencyKey: oneOf(req.headers['idempotency-key']),
    bodyDigest: null,
    unreadable: null,
    ifMatch: req.headers['if-match'] ?? null,
    reply: newReply(),
    identity: null,
    workspaceSlug: null,
  };
}

function oneOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}
