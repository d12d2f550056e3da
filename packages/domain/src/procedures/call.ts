import type { Identity } from '../access/identity.ts';
import type { SpanIds } from '../platform/process/trace.ts';

/** The part of a response beside its data, for the transport to send. */
export interface Reply {
  status: number | null;
  headers: Record<string, string>;
  /** The exact body of a mutation, which is stored and replayed. */
  body: string | null;
}

/**
 * The state that the calls of one request share: the values that the transport read from the headers, and the results that the
 * log line needs. Over websocket, the calls of one socket share it.
 */
export interface SharedCall {
  requestId: string;
  transport: 'rest' | 'rpc' | 'ws';
  /** The bearer token as received. */
  bearer: string | null;
  /** The session tokens of the console's cookies by workspace, if a page of our own origin sent the request. */
  sessions: ReadonlyMap<string, string>;
  /** The values of `Service-Workspace`; more than one if the header was repeated. */
  workspaces: string[];
  idempotencyKey: string | null;
  /** `If-Match` (RFC 9110 §13.1.1) as received. */
  ifMatch: string | null;
  ip: string;
  /** The `traceparent` header (W3C Trace Context) as received. */
  traceparent: string | null;
  /** The span of the last call, for the log line; null if tracing is off. */
  span: SpanIds | null;
  reply: Reply;
  /** The caller, once authenticated. */
  identity: Identity | null;
  /** The slug of the firm that the call acts in, once authorized. */
  workspaceSlug: string | null;
  /** The subscriptions that a socket has open. */
  subscriptions: { open: number };
  watchClient: WatchClient;
}

/**
 * Calls the listener when the client stops answering, with false, and when it answers again, with true, until the returned
 * function is called. Only clients of sockets are watched: another one that leaves ends its call.
 */
export type WatchClient = (listener: (answers: boolean) => void) => () => void;

/** One call of one procedure, over any transport. */
export interface Call extends SharedCall {
  /** The procedure's name in typed RPC: `mail.saveDraft`. */
  procedure: string;
  /** Method and concrete path: part of the scope of an idempotency key. */
  target: string;
  /** A hash of the body's bytes, set by `readInput`; null if there was no body to read. */
  bodyDigest: Uint8Array | null;
  /** Reads the input, not yet validated. It reads the body, so it runs after the checks that need only the headers. */
  readInput: () => Promise<unknown>;
  /** Aborts a subscription. */
  signal: AbortSignal | undefined;
}

export function newReply(): Reply {
  return { status: null, headers: {}, body: null };
}

/** Puts an answer into the reply, beside the `RateLimit` headers of the call itself. */
export function fillReply(reply: Reply, { status, headers, body }: Reply): void {
  reply.status = status;
  Object.assign(reply.headers, headers);
  reply.body = body;
}
