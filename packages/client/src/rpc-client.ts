import { createTRPCUntypedClient } from '@trpc/client';
import type { AnyTRPCRouter } from '@trpc/server';
import type { Connection } from './connection.ts';
import { asFirmdeskError } from './errors.ts';
import { follow } from './follow.ts';
import type { Procedures } from './generated/procedures.ts';
import { createRpcLinks, type RpcOptions } from './links.ts';
import { type Page, pagesFrom, rowsOf } from './paging.ts';
import type { Mutation, Query, Subscription, Tracked } from './procedure.ts';

export interface CallOptions {
  /** Aborts the call, or ends the stream. */
  signal?: AbortSignal;
}

export interface MutationOptions extends CallOptions {
  /**
   * A UUID. For 72 hours, another call with the same key gets the response of the first call. Pass your own key to retry safely after a
   * restart of your process. By default each call gets a new key, which its retries share.
   */
  idempotencyKey?: string;
  /** The `ETag` of the version to replace. If it is not the current version, the call fails with `precondition_failed`. */
  ifMatch?: string;
}

type Arguments<Input, Options> = undefined extends Input
  ? [input?: Input, options?: Options]
  : [input: Input, options?: Options];

/** The iterators of a list: its pages and its rows, from `starting_after` on. Each page is fetched when it is needed. */
type Paged<Input, Output> =
  Output extends Page<infer Row>
    ? {
        pages(...args: Arguments<Input, CallOptions>): AsyncGenerator<Output, void, undefined>;
        rows(...args: Arguments<Input, CallOptions>): AsyncGenerator<Row, void, undefined>;
      }
    : unknown;

/** The calls of a tree of procedures. Each rejects with a `FirmdeskError`. */
export type Calls<Tree> = {
  [Name in keyof Tree]: Tree[Name] extends Query<infer Input, infer Output>
    ? { query(...args: Arguments<Input, CallOptions>): Promise<Output> } & Paged<Input, Output>
    : Tree[Name] extends Mutation<infer Input, infer Output>
      ? { mutate(...args: Arguments<Input, MutationOptions>): Promise<Output> }
      : Tree[Name] extends Subscription<infer Input, infer Event>
        ? (...args: Arguments<Input, CallOptions>) => AsyncGenerator<Tracked<Event>, void, undefined>
        : Calls<Tree[Name]>;
};

export type RpcClient = Calls<Procedures> & {
  /** The state of the socket that carries the streams. */
  readonly connection: Connection;
  /** Ends all streams and closes the socket. It cannot be reopened. */
  close(): Promise<void>;
};

/**
 * Creates a client of every procedure: `client.tickets.list.query({ status: 'waiting' })`, `client.tickets.reply.mutate({ … })`,
 * `for await (const { data } of client.tickets.stream({ ticket }, { signal }))`. When the socket is lost, a stream resumes after its
 * last event. It buffers at most 1,000 unread events.
 */
export function createRpcClient(options: RpcOptions): RpcClient {
  const { links, connection, close } = createRpcLinks<AnyTRPCRouter>(options);
  const untyped = createTRPCUntypedClient<AnyTRPCRouter>({ links });
  const call = (path: string[], input: unknown, options: MutationOptions = {}): unknown => {
    const name = path.slice(0, -1).join('.');
    const { signal, ...context } = options;
    const requestOptions = { ...(signal && { signal }), context };
    const query = (input: unknown) => untyped.query(name, input, requestOptions).catch(rethrow);
    const pages = ({ starting_after, ...filters }: { starting_after?: string } = {}) =>
      pagesFrom(
        starting_after,
        (cursor) =>
          query({ ...filters, ...(cursor !== undefined && { starting_after: cursor }) }) as Promise<Page>,
      );
    if (path.at(-1) === 'query') return query(input);
    if (path.at(-1) === 'pages') return pages(input ?? {});
    if (path.at(-1) === 'rows') return rowsOf(pages(input ?? {}));
    if (path.at(-1) === 'mutate') return untyped.mutation(name, input, requestOptions).catch(rethrow);
    return follow(untyped, path.join('.'), (input ?? {}) as object, signal);
  };
  const root = { connection, close };
  // The type is derived from the declared procedures; at run time the path of properties names the procedure.
  return new Proxy(root, {
    get: (target, name) =>
      name in target ? target[name as keyof typeof root] : branch([String(name)], call),
  }) as unknown as RpcClient;
}

type Call = (path: string[], input: unknown, options?: MutationOptions) => unknown;

/** Returns a proxy that collects the path of properties, and calls the procedure when it is invoked. */
function branch(path: string[], call: Call): unknown {
  // `await` reads `then` to find out whether a value is a promise.
  if (path.at(-1) === 'then') return undefined;
  return new Proxy(() => {}, {
    get: (_, name) => branch([...path, String(name)], call),
    apply: (_, __, [input, options]: [unknown, MutationOptions?]) => call(path, input, options),
  });
}

function rethrow(thrown: unknown): never {
  throw asFirmdeskError(thrown);
}
