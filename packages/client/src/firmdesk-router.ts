import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';
import type { RpcErrorShape } from './errors.ts';
import type { Procedures } from './generated/procedures.ts';
import type { Mutation, Query, Subscription, Tracked } from './procedure.ts';

type RouterRecord<Tree> = {
  [Name in keyof Tree]: Tree[Name] extends Query<infer Input, infer Output>
    ? TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>
    : Tree[Name] extends Mutation<infer Input, infer Output>
      ? TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>
      : Tree[Name] extends Subscription<infer Input, infer Event>
        ? TRPCSubscriptionProcedure<{
            input: Input;
            output: AsyncIterable<Tracked<Event>>;
            meta: unknown;
          }>
        : RouterRecord<Tree[Name]>;
};

/**
 * The service's router as tRPC's own tools want it: `createTRPCClient<FirmdeskRouter>({ links })`, TanStack Query's options.
 * Made of {@link Procedures}: it knows what is called, and nothing of what answers.
 */
export type FirmdeskRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: RpcErrorShape; transformer: true },
  RouterRecord<Procedures>
>;
