import type { AppRouter, Method, ProcedureMeta, ProcedureSpec } from '@firmdesk/domain';
import type { AnyProcedure } from '@trpc/server';
import { type AcceptedNames, acceptedNames } from './ignored-parameters.ts';
import { type DecodeQuery, queryDecoder } from './query.ts';

type RestSpec = ProcedureSpec & { rest: { method: Method; path: string } };

/** A procedure that has a route under `/v1`. */
export interface Route {
  /** The procedure's path in typed RPC: `sessions.signIn`. */
  name: string;
  spec: RestSpec;
  decodeQuery: DecodeQuery;
  accepted: AcceptedNames;
}

/** Returns every procedure of the router with its specification. */
export function declaredProcedures(
  router: AppRouter,
): { name: string; procedure: AnyProcedure; spec: ProcedureSpec; meta: ProcedureMeta }[] {
  return Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>).map(
    ([name, procedure]) => {
      const meta = procedure._def.meta as ProcedureMeta;
      return { name, procedure, meta, spec: meta.spec };
    },
  );
}

/** Returns the routes of the procedures that declare one. */
export function routesOf(router: AppRouter): Route[] {
  return declaredProcedures(router).flatMap(({ name, spec }) =>
    hasRest(spec)
      ? [{ name, spec, decodeQuery: queryDecoder(spec.inputSchema), accepted: acceptedNames(spec) }]
      : [],
  );
}

function hasRest(spec: ProcedureSpec): spec is RestSpec {
  return spec.rest !== null;
}
