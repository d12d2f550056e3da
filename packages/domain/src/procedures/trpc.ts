import type { Permission, Scope } from '@firmdesk/contract';
import { type AnyTRPCRouter, initTRPC } from '@trpc/server';
import superjson from 'superjson';
import type { OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { type Call, newReply, type SharedCall } from './call.ts';
import type { AccountContext, CallContext, RequestContext } from './call-context.ts';
import { execute } from './execute.ts';
import { decodeInput } from './input/decode-input.ts';
import {
  type Access,
  type Answering,
  createSpec,
  type Declaration,
  type DeclaredProcedure,
  type Operation,
  type ProcedureMeta,
  type ProcedureSpec,
} from './spec.ts';
import { toApiError } from './to-api-error.ts';

// A mapped type, because trpc-to-openapi expects one with an index signature.
type Meta = OpenApiMeta<{ [Name in keyof ProcedureMeta]: ProcedureMeta[Name] }>;

const t = initTRPC
  .context<RequestContext>()
  .meta<Meta>()
  .create({
    // superjson, except that few annotations of inputs are accepted.
    transformer: { input: { serialize: superjson.serialize, deserialize: decodeInput }, output: superjson },
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
          ...(api.details && { details: api.details }),
          ...(ctx && { request_id: ctx.call.requestId }),
        },
      };
    },
  });

/** What a router was made of. tRPC has no public way to list the procedures of a router. */
const members = new WeakMap<object, readonly object[]>();
const declaredMeta = new WeakMap<object, ProcedureMeta>();

export const router: typeof t.router = (record) => {
  const made = t.router(record);
  members.set(made, [record]);
  return made;
};

export function mergeRouters<R extends AnyTRPCRouter[]>(...routers: R): ReturnType<typeof t.mergeRouters<R>> {
  const merged = t.mergeRouters<R>(...routers);
  members.set(
    merged,
    routers.flatMap((each) => members.get(each) ?? []),
  );
  return merged;
}

/** A procedure with its path in typed RPC: `sessions.signIn`. */
export interface NamedProcedure {
  name: string;
  spec: ProcedureSpec;
  meta: ProcedureMeta;
}

/** Returns every procedure of a router. */
export function declaredProcedures(router: object, path = ''): NamedProcedure[] {
  const records = members.get(router) ?? [];
  return records.flatMap((record) =>
    Object.entries(record).flatMap(([name, member]: [string, object]) => {
      const meta = declaredMeta.get(member);
      if (meta) return [{ name: `${path}${name}`, spec: meta.spec, meta }];
      return declaredProcedures(member, `${path}${name}.`);
    }),
  );
}

/** The input of a procedure that takes none. */
export const NoInput = z.object({}).optional();

interface Procedure<Context, In extends z.ZodType, Out extends z.ZodType, Prepared, Result>
  extends Answering<Context, Result, z.input<Out>> {
  input: In;
  output: Out;
  /** The part of a mutation before its transaction (see `Prepare`). */
  prepare?: (ctx: Context, input: z.output<In>) => Promise<Prepared>;
}

/** Declares a procedure that needs no token. */
export function publicProcedure<
  In extends z.ZodType,
  Out extends z.ZodType,
  Prepared = undefined,
  Result = z.input<Out>,
>(declaration: Declaration & Procedure<CallContext, In, Out, Prepared, Result>) {
  return declare<CallContext, In, Out, Prepared, Result>({ level: 'public' }, declaration);
}

/** Declares a procedure that needs a live token and acts in the token's own workspace; `scope: null` if it needs no scope. */
export function accountProcedure<
  In extends z.ZodType,
  Out extends z.ZodType,
  Prepared = undefined,
  Result = z.input<Out>,
>(
  declaration: Declaration &
    Procedure<AccountContext, In, Out, Prepared, Result> & {
      scope: Scope | null;
      /** Whether it changes the account itself. A test token gets `forbidden`. */
      liveOnly?: boolean;
      /** Whether it changes who can sign in: it needs a session that was opened or confirmed a moment ago. */
      fresh?: boolean;
    },
) {
  return declare<AccountContext, In, Out, Prepared, Result>(
    {
      level: 'account',
      scope: declaration.scope,
      liveOnly: declaration.liveOnly ?? false,
      fresh: declaration.fresh ?? false,
    },
    declaration,
  );
}

/** The permissions that a signed-in device needs for a procedure of a firm. No device has the scope of the platform's services. */
type DeviceAccess =
  | { scope: 'platform:write'; devicePermissions?: never }
  | { scope: Exclude<Scope, 'platform:write'>; devicePermissions: readonly [Permission, ...Permission[]] };

/**
 * Declares a procedure that acts in one firm: the token's own, or the one that the staff name in `Service-Workspace`. An API key needs the
 * scope; a signed-in device also the permissions.
 */
export function workspaceProcedure<
  In extends z.ZodType,
  Out extends z.ZodType,
  Prepared = undefined,
  Result = z.input<Out>,
>(declaration: Declaration & Procedure<AccountContext, In, Out, Prepared, Result> & DeviceAccess) {
  const { scope, devicePermissions = [] } = declaration;
  return declare<AccountContext, In, Out, Prepared, Result>(
    { level: 'workspace', scope, devicePermissions },
    declaration,
  );
}

/** Declares an administrative procedure (contract §5.5): it acts in one firm, for its administrators with these permissions. */
export function adminProcedure<
  In extends z.ZodType,
  Out extends z.ZodType,
  Prepared = undefined,
  Result = z.input<Out>,
>(
  declaration: Declaration &
    Procedure<AccountContext, In, Out, Prepared, Result> & {
      scope: Scope;
      permissions: readonly Permission[];
      /** Whether it acts on what a sandbox does not have. A test token gets `forbidden`. */
      liveOnly?: boolean;
      /** Whether it changes who can sign in, takes stored data out or deletes it: it needs a session that was opened or confirmed a moment ago. */
      fresh?: boolean;
    },
) {
  return declare<AccountContext, In, Out, Prepared, Result>(
    {
      level: 'admin',
      scope: declaration.scope,
      permissions: declaration.permissions,
      liveOnly: declaration.liveOnly ?? false,
      fresh: declaration.fresh ?? false,
    },
    declaration,
  );
}

/** Returns the last steps of tRPC's builder: `.query(operation)`, `.mutation(operation)` or `.subscription(operation)`. */
function declare<Context extends CallContext, In extends z.ZodType, Out extends z.ZodType, Prepared, Result>(
  access: Access,
  declaration: Declaration & Procedure<Context, In, Out, Prepared, Result>,
) {
  const build = (kind: ProcedureSpec['kind']) => (operation: Operation) => {
    const declared = declaration as unknown as DeclaredProcedure['declaration'];
    const { input, output } = declared;
    const spec = createSpec({ access, kind, declaration: declared, operation });
    const meta = { spec, access, declaration: declared, input, output };
    const builder = builderOf<Context, In, Out, Prepared, Result>(meta);
    const procedure = (builder[kind] as (operation: Operation) => object)(operation);
    declaredMeta.set(procedure, meta);
    return procedure;
  };
  return {
    query: build('query'),
    mutation: build('mutation'),
    subscription: build('subscription'),
  } as unknown as Pick<
    ReturnType<typeof builderOf<Context, In, Out, Prepared, Result>>,
    'query' | 'mutation' | 'subscription'
  >;
}

/**
 * Returns a builder whose only step that runs is {@link execute}. tRPC's own parsing and its call of the operation never run:
 * `.input()` and `.output()` give clients their types and the document its schemas. For tRPC's types, the output's schema
 * converts the operation's result to the output, as `answer` does.
 */
function builderOf<
  Context extends CallContext,
  In extends z.ZodType,
  Out extends z.ZodType,
  Prepared,
  Result,
>(meta: ProcedureMeta) {
  const { spec, input, output } = meta;
  return t.procedure
    .meta({ ...meta, ...openapiOf(spec) })
    .use(async function executeOverTrpc({ ctx, next, getRawInput, path, batchIndex, signal }) {
      const { services, readInput } = ctx;
      let input: Promise<unknown> | undefined;
      const call: Call = {
        ...ctx.call,
        procedure: path,
        // Equal procedures of one batch share its idempotency key; their index makes them different calls.
        target: `POST /trpc/${path}#${batchIndex}`,
        reply: newReply(),
        bodyDigest: null,
        readInput: () => (input ??= readInput ? readInput(call, batchIndex) : getRawInput()),
        signal,
      };
      let outcome: { ok: true; data: unknown } | { ok: false; error: unknown };
      try {
        const data = await execute(spec, services, call);
        outcome = { ok: true, data };
      } catch (error) {
        outcome = { ok: false, error };
      }
      share(ctx.call, call);
      return outcome as Awaited<ReturnType<typeof next<Context & { prepared: Prepared }>>>;
    })
    .input(input as In)
    .output(output as unknown as z.ZodType<z.output<Out>, Result>);
}

/** Copies the results of a call that the transport needs to the state that the calls share. */
function share(shared: SharedCall, { identity, workspaceSlug, span, reply }: Call): void {
  shared.identity = identity;
  shared.span = span;
  shared.workspaceSlug = workspaceSlug;
  Object.assign(shared.reply.headers, reply.headers);
}

/** Describes the route for trpc-to-openapi, with what callers need. */
function openapiOf(spec: ProcedureSpec): Pick<Meta, 'openapi'> {
  const { rest, summary, tag, access } = spec;
  if (!rest) return {};
  const { method, path } = rest;
  const description = [spec.description, needsOf(access)].filter(Boolean).join('\n\n');
  const protect = access.level !== 'public';
  return { openapi: { method, path: path as `/${string}`, summary, description, tags: [tag], protect } };
}

/** Returns the sentences about the token, scope and permissions that a call needs. */
function needsOf(access: Access): string {
  if (access.level === 'public') return 'Needs no token.';
  const scope = access.scope ? `Scope: \`${access.scope}\`.` : 'Needs a token, but no scope.';
  const listed = (permissions: readonly Permission[]) =>
    permissions.map((permission) => `\`${permission}\``).join(', ');
  if (access.level === 'admin') {
    const { permissions } = access;
    return `${scope} ${permissions.length > 0 ? `Permissions: ${listed(permissions)}.` : 'Needs admin access.'}`;
  }
  if (access.level === 'workspace' && access.devicePermissions.length > 0) {
    return `${scope} Permissions of a signed-in device: ${listed(access.devicePermissions)}. An API key needs only the scope.`;
  }
  return scope;
}
