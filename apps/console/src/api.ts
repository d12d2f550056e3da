import { asFirmdeskError, createRpcLinks, type FirmdeskRouter } from '@firmdesk/client';
import { QueryClient } from '@tanstack/react-query';
import { createTRPCClient } from '@trpc/client';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { chosenFirm } from './session/chosen-firm.ts';

const TRIES = 2;

/** The way to the gateway that served this page: the cookie says who calls, and staff name the firm that they act in. */
export const { links, connection } = createRpcLinks<FirmdeskRouter>({
  url: location.origin,
  workspace: () => chosenFirm.get(),
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
