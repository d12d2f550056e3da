import { httpBatchLink, httpLink, type Operation, splitLink, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Connection } from './connection.ts';
import { Credentials } from './credentials.ts';
import { followLink } from './follow-link.ts';
import { mutationsWithoutIdempotencyKey } from './generated/procedures.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { IDEMPOTENCY_KEY, sessionFetch } from './session-fetch.ts';
import { SessionSocket, type SocketOptions } from './session-socket.ts';
import { transformer } from './transformer.ts';

/** The options of the RPC client. */
export type RpcOptions = SocketOptions;

export interface RpcConnection<R extends AnyTRPCRouter> {
  links: TRPCLink<R>[];
  /** The socket's state. */
  connection: Connection;
  /** Ends all subscriptions and closes the socket. It cannot be reopened. */
  close(): Promise<void>;
}

/** The most calls that the service accepts in a batch. */
const MAX_BATCH = 20;
/** Below the longest request line that proxies accept (nginx: 8 KiB). */
const MAX_URL_LENGTH = 7_000;

/**
 * Creates the links of one session: queries over HTTP, concurrent ones batched; each mutation over HTTP with an
 * `Idempotency-Key` (`context.idempotencyKey`, or a new one) and `If-Match` (`context.ifMatch`); subscriptions over one
 * websocket. Create new links after another sign-in.
 */
export function createRpcLinks<R extends AnyTRPCRouter>(options: RpcOptions): RpcConnection<R> {
  const credentials = new Credentials(options.token);
  const socket = new SessionSocket(options, credentials);
  const fetchInSession = sessionFetch(options, credentials);
  const http = {
    url: `${options.url.replace(/\/$/, '')}/trpc`,
    transformer,
    // tRPC declares types of its own for the arguments.
    fetch: (url: string | URL | Request, init?: object) => fetchInSession(url, init),
  };
  const link = splitLink<AnyTRPCRouter>({
    condition: ({ type }) => type === 'subscription',
    true: followLink(socket),
    false: splitLink<AnyTRPCRouter>({
      condition: ({ type }) => type === 'mutation',
      true: httpLink({ ...http, headers: ({ op }) => headersOf(op) }),
      false: httpBatchLink({ ...http, maxItems: MAX_BATCH, maxURLLength: MAX_URL_LENGTH }),
    }),
  });
  return {
    // At run time a link is the same for every router; only its types differ.
    links: [link as unknown as TRPCLink<R>],
    connection: socket.connection,
    close: () => socket.close(),
  };
}

function headersOf({ path, context }: Operation): Record<string, string> {
  const { idempotencyKey, ifMatch } = context;
  const key = typeof idempotencyKey === 'string' ? idempotencyKey : newIdempotencyKey();
  return {
    ...(!mutationsWithoutIdempotencyKey.has(path) && { [IDEMPOTENCY_KEY]: key }),
    ...(typeof ifMatch === 'string' && { 'if-match': ifMatch }),
  };
}
