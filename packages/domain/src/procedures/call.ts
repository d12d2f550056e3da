import type { Identity } from '../access/identity.ts';
import type { ApiError } from '../platform/errors.ts';

/** What the answer carries beside its data. An operation may set `status` and `headers`. */
export interface Reply {
  status: number | null;
  headers: Record<string, string>;
  /** The body word for word, once a unit of work has made (or replayed) it. */
  body: string | null;
}

/** One call, whichever transport brought it. */
export interface Call {
  requestId: string;
  transport: 'rest' | 'rpc' | 'ws';
  /** Method and concrete path over REST; null over RPC, where a batch brings several calls. */
  target: string | null;
  /** The bearer token, as it came. */
  bearer: string | null;
  /** The tokens of the console's cookies, by workspace, where a page of our own origin sent them. */
  sessions: ReadonlyMap<string, string>;
  /** `Service-Workspace`; more than one when the header was repeated. */
  workspaces: string[];
  idempotencyKey: string | null;
  /** A hash of a large body's bytes, made where it was parsed; null until then, and for other bodies. */
  bodyDigest: Uint8Array | null;
  /** Why the body cannot be read, if the headers alone say so; raised when a call asks for it. */
  unreadable: ApiError | null;
  /** `If-Match` (RFC 9110 §13.1.1), as it came. */
  ifMatch: string | null;
  ip: string;
  reply: Reply;
  /** Who called, once it is known; for the request's log line. */
  identity: Identity | null;
  /** The firm that an administrative call acts in, once it is known; for the log line. */
  workspaceSlug: string | null;
  /** How many subscriptions a socket holds open. */
  subscriptions?: number;
}

export function newReply(): Reply {
  return { status: null, headers: {}, body: null };
}
