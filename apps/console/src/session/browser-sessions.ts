import { trpc } from '../api.ts';

/** The sessions of this browser, in all firms. */
export const browserSessionsQuery = () => trpc.sessions.ofBrowser.queryOptions(undefined, { staleTime: 0 });
