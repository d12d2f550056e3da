import { type AppRouter, declaredProcedures, type Method, type ProcedureSpec } from '@firmdesk/domain';
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
