import { httpBatchLink, httpLink, type Operation, splitLink, type TRPCLink } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import superjson from 'superjson';
import type { Connection } from './connection.ts';
import { Credentials } from './credentials.ts';
import { followLink } from './follow-link.ts';
import { unkeyedMutations } from './generated/procedures.ts';
import { newIdempotencyKey } from './idempotency-key.ts';
import { IDEMPOTENCY_KEY, sessionFetch } from './session-fetch.ts';
import { SessionSocket, type SocketOptions } from './session-socket.ts';

/** See {@link SessionOptions}; `WebSocket`: where there is no global one. */
export type RpcOptions = SocketOptions;

export interface RpcConnection<R extends AnyTRPCRouter> {
  links: TRPCLink<R>[];
  /** The socket's state. */
  connection: Connection;
  /** Ends subscriptions and closes the socket, for good. */
  close(): Promise<void>;
}

/** What the service takes in one batch. */
const MAX_BATCH = 20;
/** What proxies take for a request line (nginx: 8 KiB), with room to spare. */
const MAX_URL_LENGTH = 7_000;

/**
 * The links of one session: queries over HTTP, those of one moment batched; each mutation over HTTP with an
 * `Idempotency-Key`, its own or `context.idempotencyKey`, and `If-Match` as `context.ifMatch` says; subscriptions over one
 * websocket. After another sign-in, make new ones.
 */
export function createRpcLinks<R extends AnyTRPCRouter>(options: RpcOptions): RpcConnection<R> {
  const credentials = new Credentials(options.token);
  const socket = new SessionSocket(options, credentials);
  const inSession = sessionFetch(options, credentials);
  const http = {
    url: `${options.url.replace(/\/$/, '')}/trpc`,
    transformer: superjson,
    // tRPC says the same of a request in a type of its own.
    fetch: (url: string | URL | Request, init?: object) => inSession(url, init),
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
    // A link passes on what it is given; only the types that a client shows depend on the router.
    links: [link as unknown as TRPCLink<R>],
    connection: socket.connection,
    close: () => socket.close(),
  };
}

function headersOf({ path, context }: Operation): Record<string, string> {
  const { idempotencyKey, ifMatch } = context;
  const key = typeof idempotencyKey === 'string' ? idempotencyKey : newIdempotencyKey();
  return {
    ...(!unkeyedMutations.has(path) && { [IDEMPOTENCY_KEY]: key }),
    ...(typeof ifMatch === 'string' && { 'if-match': ifMatch }),
  };
}
