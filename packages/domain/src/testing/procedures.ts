/** For tests that declare procedures of their own. */
export {
  accountProcedure,
  adminProcedure,
  firmProcedure,
  publicProcedure,
  router,
} from '../procedures/trpc.ts';
