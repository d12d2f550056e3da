import { asFirmdeskError, createRpcLinks, type FirmdeskRouter } from '@firmdesk/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { firm } from './session/firm.ts';

const TRIES = 2;

/**
 * The way to the gateway that served this page. Everything here is of the page's one firm: the calls and their retries, the
 * socket, and what is kept of the answers. Calls name the firm, and by that the cookie that says who calls.
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
      // The links have tried already what is worth another try; a fault of ours may pass.
      retry: (failures, error) => failures < TRIES && asFirmdeskError(error).code === 'internal_error',
    },
    mutations: { retry: false },
  },
});

/** Options of queries, mutations and subscriptions for TanStack Query: `useQuery(trpc.tickets.get.queryOptions(…))`. */
export const trpc = createTRPCOptionsProxy<FirmdeskRouter>({ client, queryClient });
