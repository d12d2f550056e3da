import { asFirmdeskError, createRpcLinks, type FirmdeskRouter } from '@firmdesk/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { firm } from './session/firm.ts';

const TRIES = 2;

/**
 * The links to the gateway that served this page. Everything here belongs to the page's one firm: calls, retries, the socket
 * and the query cache. Each call names the firm, which selects the session cookie.
 */
export const { links, connection } = createRpcLinks<FirmdeskRouter>({
  url: location.origin,
  workspace: firm,
});

export const client = createTRPCClient<FirmdeskRouter>({ links });

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The links already retry network failures. An `internal_error` may be temporary.
      retry: (failures, error) => failures < TRIES && asFirmdeskError(error).code === 'internal_error',
    },
    // Without a network a mutation fails at once, and the page says so. The outbox keeps changes that can wait.
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Options of queries, mutations and subscriptions for TanStack Query: `useQuery(trpc.tickets.get.queryOptions(…))`. */
export const trpc = createTRPCOptionsProxy<FirmdeskRouter>({ client, queryClient });
