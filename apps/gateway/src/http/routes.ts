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
  segments: string[];
  decodeQuery: DecodeQuery;
  accepted: AcceptedNames;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
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
      ? [
          {
            name,
            spec,
            segments: spec.rest.path.split('/'),
            decodeQuery: queryDecoder(spec.inputSchema),
            accepted: acceptedNames(spec),
          },
        ]
      : [],
  );
}

function hasRest(spec: ProcedureSpec): spec is RestSpec {
  return spec.rest !== null;
}

/** Finds the routes of a path. Case and trailing slashes count; fixed segments win over parameters. */
export class RouteTable {
  readonly #fixed = new Map<string, Map<Method, Match>>();
  readonly #templates: { segments: string[]; methods: Map<Method, Route> }[] = [];

  constructor(routes: Route[]) {
    const templates = new Map<string, { segments: string[]; methods: Map<Method, Route> }>();
    for (const route of routes) {
      const { method, path } = route.spec.rest;
      if (!path.includes('{')) {
        const methods = this.#fixed.get(path) ?? new Map<Method, Match>();
        this.#fixed.set(path, methods.set(method, { route, params: {} }));
        continue;
      }
      const shape = path.replace(/\{\w+\}/g, '{}');
      const template = templates.get(shape) ?? { segments: route.segments, methods: new Map() };
      template.methods.set(method, route);
      templates.set(shape, template);
    }
    this.#templates.push(...templates.values());
  }

  /** Returns the routes of a path by method; null for an unknown path. */
  find(path: string): Map<Method, Match> | null {
    const fixed = this.#fixed.get(path);
    if (fixed) return fixed;
    const given = path.split('/');
    for (const { segments, methods } of this.#templates) {
      const isMatch =
        segments.length === given.length &&
        segments.every((segment, i) => (segment.startsWith('{') ? given[i] !== '' : segment === given[i]));
      if (!isMatch) continue;
      return new Map(
        [...methods].map(([method, route]) => [method, { route, params: paramsOf(route.segments, given) }]),
      );
    }
    return null;
  }
}

function paramsOf(segments: string[], given: string[]): Record<string, string> {
  const params: Record<string, string> = {};
  segments.forEach((segment, i) => {
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = decode(given[i]!);
  });
  return params;
}

/** Decodes a path parameter. Returns invalid percent-encoding unchanged; the schema then rejects it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
