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
 * The type of the service's router for tRPC's own tools: `createTRPCClient<FirmdeskRouter>({ links })`, TanStack Query's
 * options. It is derived from {@link Procedures} and depends on no server code.
 */
export type FirmdeskRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: RpcErrorShape; transformer: true },
  RouterRecord<Procedures>
>;
