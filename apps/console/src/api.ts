import { asFirmdeskError, createRpcLinks, type FirmdeskRouter } from '@firmdesk/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient, retryLink, type TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { takeEarlyAnswer } from './early-calls.ts';
import { formLink } from './forms/form-link.ts';
import { firm } from './session/firm.ts';

const MAX_ATTEMPTS = 3;

/**
 * The links to the gateway that served this page. Everything here belongs to the page's one firm: calls, retries, the socket
 * and the query cache. Each call names the firm, which selects the session cookie.
 */
const rpc = createRpcLinks<FirmdeskRouter>({
  url: location.origin,
  workspace: firm,
});

export const { connection } = rpc;

/** Answers a query with what the page has asked for before this code was loaded. */
const earlyLink: TRPCLink<FirmdeskRouter> =
  () =>
  ({ next, op }) => {
    const answer = op.type === 'query' ? takeEarlyAnswer(op.path, op.input) : undefined;
    if (!answer) return next(op);
    return observable((observer) => {
      let call: Unsubscribable | null = null;
      let isOver = false;
      answer.then((data) => {
        if (isOver) return;
        if (data === undefined) {
          call = next(op).subscribe(observer);
          return;
        }
        observer.next({ result: { type: 'data', data } });
        observer.complete();
      });
      return () => {
        isOver = true;
        call?.unsubscribe();
      };
    });
  };

/** Asks the person to prove who they are, and returns whether they did. The dialog makes calls itself, so it is given to this module. */
let askWhoItIs = () => Promise.resolve(false);
export function confirmWith(ask: typeof askWhoItIs): void {
  askWhoItIs = ask;
}

/** {@link askWhoItIs}, for what is no call. */
export const confirmIdentity = () => askWhoItIs();

/** Asks the person to prove who they are where the service wants it, and then repeats the call. */
const confirmLink: TRPCLink<FirmdeskRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) => {
      let call: Unsubscribable;
      const send = (isAgain: boolean) => {
        call = next(op).subscribe({
          ...observer,
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (isAgain || asFirmdeskError(error).code !== 'fresh_sign_in_required')
              return observer.error(error);
            askWhoItIs().then(
              (isConfirmed) => (isConfirmed ? send(true) : observer.error(error)),
              () => observer.error(error),
            );
          },
        });
      };
      send(false);
      return () => call.unsubscribe();
    });

export const client = createTRPCClient<FirmdeskRouter>({
  links: [
    // The other links retry network failures. An `internal_error` may be temporary too.
    retryLink({
      retry: ({ op, error, attempts }) =>
        op.type === 'query' && attempts < MAX_ATTEMPTS && asFirmdeskError(error).code === 'internal_error',
      retryDelayMs: (attempts) => 1_000 * attempts,
    }),
    earlyLink,
    formLink,
    confirmLink,
    ...rpc.links,
  ],
});

export const queryClient = new QueryClient({
  defaultOptions: {
    // The links retry.
    queries: { staleTime: 15_000, retry: false },
    // Without a network a mutation fails at once, and the page says so. The outbox keeps changes that can wait.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Options of queries, mutations and subscriptions for TanStack Query: `useQuery(trpc.tickets.get.queryOptions(…))`. */
export const trpc = createTRPCOptionsProxy<FirmdeskRouter>({ client, queryClient });
