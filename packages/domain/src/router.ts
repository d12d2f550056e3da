import { pingProcedure, sessionsRouter } from './access/router.ts';
import { router } from './kernel/trpc.ts';

/** Everything that can be called, over `/v1` where it declares a route and over `/trpc`. */
export const appRouter = router({
  ping: pingProcedure,
  sessions: sessionsRouter,
});
export type AppRouter = typeof appRouter;
