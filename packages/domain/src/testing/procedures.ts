/** The procedure builders, for tests that declare procedures. */
export {
  accountProcedure,
  adminProcedure,
  publicProcedure,
  router,
  workspaceProcedure,
} from '../procedures/trpc.ts';
