import type { Permission, Scope } from '@firmdesk/contract';
import { initTRPC } from '@trpc/server';
import superjson from 'superjson';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { type Call, newReply } from './call.ts';
import type { AccountContext, CallContext, RequestContext } from './call-context.ts';
import { ensureSupportedText, execute } from './execute.ts';
import type { Outcome } from './run-mutation.ts';
import { type Access, type Declaration, type Prepare, type ProcedureMeta, specOf } from './spec.ts';
import { holdOpen } from './subscriptions.ts';
import { invalidInput, isInvalidInput, toApiError } from './to-api-error.ts';

type Meta = OpenApiMeta<ProcedureMeta>;

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    transformer: superjson,
    isDev: false,
    errorFormatter({ error, shape, ctx }) {
      const api = toApiError(error);
      return {
        message: api.message,
        code: shape.code,
        data: {
          code: api.apiCode,
          httpStatus: api.status,
          ...(api.fields && { fields: api.fields }),
          ...(ctx && { request_id: ctx.call.requestId }),
        },
      };
    },
  });

export const router = t.router;
export const mergeRouters = t.mergeRouters;

/** The input of a procedure that takes none. */
export const NoInput = z.object({}).optional();

interface Procedure<Context, In extends z.ZodType, Out extends z.ZodType, Prepared> {
  input: In;
  output: Out;
  /** A mutation's work before its transaction (see {@link Prepare}); the operation finds what it returns in `ctx.prepared`. */
  prepare?: (ctx: Context, input: z.output<In>) => Promise<Prepared>;
}

/** Needs no token. */
export function publicProcedure<In extends z.ZodType, Out extends z.ZodType, Prepared = undefined>(
  declaration: Declaration & Procedure<CallContext, In, Out, Prepared>,
) {
  return declare<CallContext, In, Out, Prepared>({ level: 'public' }, declaration);
}

/** Needs a live token; acts in the token's own workspace. `scope: null` where the contract asks for none. */
export function accountProcedure<In extends z.ZodType, Out extends z.ZodType, Prepared = undefined>(
  declaration: Declaration & Procedure<AccountContext, In, Out, Prepared> & { scope: Scope | null },
) {
  return declare<AccountContext, In, Out, Prepared>(
    { level: 'account', scope: declaration.scope },
    declaration,
  );
}

/** Acts for one firm: the token's own, or the one that the staff name in `Service-Workspace`. */
export function workspaceProcedure<In extends z.ZodType, Out extends z.ZodType, Prepared = undefined>(
  declaration: Declaration & Procedure<AccountContext, In, Out, Prepared> & { scope: Scope },
) {
  return declare<AccountContext, In, Out, Prepared>(
    { level: 'workspace', scope: declaration.scope },
    declaration,
  );
}

/** An administrative call (contract §5.5): a firm, an account that helps run it, and its permissions. */
export function adminProcedure<In extends z.ZodType, Out extends z.ZodType, Prepared = undefined>(
  declaration: Declaration &
    Procedure<AccountContext, In, Out, Prepared> & { scope: Scope; permissions: readonly Permission[] },
) {
  return declare<AccountContext, In, Out, Prepared>(
    { level: 'admin', scope: declaration.scope, permissions: declaration.permissions },
    declaration,
  );
}

function declare<Context extends CallContext, In extends z.ZodType, Out extends z.ZodType, Prepared>(
  access: Access,
  declaration: Declaration & Procedure<Context, In, Out, Prepared>,
) {
  const { input, output, prepare = null } = declaration;
  const meta = { access, declaration, input, output, prepare: prepare as Prepare | null };
  return t.procedure
    .meta({ ...meta, ...openapiOf(access, declaration) })
    .use(async function runCall({ ctx, meta, type, next, getRawInput, path, batchIndex, signal }) {
      // The calls of a batch share what came with the request, and nothing of what they answer.
      const call: Call = { ...ctx.call, reply: newReply() };
      // Equal procedures of one batch share its key; their place in it tells them apart.
      const target = call.target ?? `POST /trpc/${path}#${batchIndex}`;
      const spec = specOf(meta!, type);
      const readInput = async () => {
        if (!ctx.readInput) return getRawInput();
        // Whoever reads the body asks who sends it.
        ctx.call.identity = call.identity;
        const input = await ctx.readInput(batchIndex);
        call.bodyDigest = ctx.call.bodyDigest;
        return input;
      };
      let letGo: (() => void) | null = null;
      const outcome = await execute<Context & { prepared: Prepared }>(
        { meta: meta!, spec, path, target, readInput },
        { services: ctx.services, call },
        async (context) => {
          if (type === 'subscription') letGo = holdOpen(ctx.call, signal);
          // tRPC takes both at once; its types offer one at a time.
          const passedOn = { ctx: context, getRawInput: readInput };
          const outcome = (await next(passedOn)) as Outcome;
          if (outcome.ok || !isInvalidInput(outcome.error)) return outcome;
          return { ok: false, error: invalidInput(meta!, spec, await readInput()) };
        },
      );
      if (!outcome.ok) (letGo as (() => void) | null)?.();
      conclude(ctx.call, call);
      // A replayed answer has no `next()` behind it; tRPC looks at `ok` and `data` alone.
      return outcome as Awaited<ReturnType<typeof next<Context & { prepared: Prepared }>>>;
    })
    .input(declaration.input)
    .use(function refuseUnstorable({ input, meta, type, next }) {
      ensureSupportedText(input, specOf(meta!, type));
      return next();
    })
    .output(declaration.output);
}

/** What a call made known and wants to be answered beside its data, for the transport. */
function conclude(request: Call, { identity, workspaceSlug, reply }: Call): void {
  request.identity = identity;
  request.workspaceSlug = workspaceSlug;
  Object.assign(request.reply.headers, reply.headers);
  request.reply.status = reply.status;
  request.reply.body = reply.body;
}

/** What trpc-to-openapi reads: the route. The rest of the document comes from the spec. */
function openapiOf(access: Access, { rest, summary, description, tag }: Declaration): Pick<Meta, 'openapi'> {
  if (!rest) return {};
  const [method, path] = rest.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', `/${string}`];
  return {
    openapi: {
      method,
      path,
      summary,
      ...(description && { description }),
      tags: [tag],
      protect: access.level !== 'public',
    },
  };
}
