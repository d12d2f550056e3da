/** For tests that declare procedures of their own. */
export {
  accountProcedure,
  adminProcedure,
  publicProcedure,
  router,
  workspaceProcedure,
} from '../procedures/trpc.ts';
