import {
  type AppRouter,
  type Method,
  type ProcedureMeta,
  type ProcedureSpec,
  specOf,
} from '@firmdesk/domain';
import type { AnyProcedure } from '@trpc/server';
import { type DecodeQuery, queryDecoder } from './query.ts';

/** A declared procedure at its place under `/v1`. */
export interface Route {
  /** The procedure's path in typed RPC: `sessions.signIn`. */
  name: string;
  procedure: AnyProcedure;
  spec: ProcedureSpec & { rest: { method: Method; path: string } };
  segments: string[];
  decodeQuery: DecodeQuery;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** Every procedure of the router, with its spec. */
export function declaredProcedures(
  router: AppRouter,
): { name: string; procedure: AnyProcedure; spec: ProcedureSpec; meta: ProcedureMeta }[] {
  return Object.entries(router._def.procedures as unknown as Record<string, AnyProcedure>).map(
    ([name, procedure]) => {
      const meta = procedure._def.meta as ProcedureMeta;
      return { name, procedure, meta, spec: specOf(meta, procedure._def.type) };
    },
  );
}

export function routesOf(router: AppRouter): Route[] {
  return declaredProcedures(router).flatMap(({ name, procedure, spec, meta }) =>
    spec.rest === null
      ? []
      : [
          {
            name,
            procedure,
            spec: { ...spec, rest: spec.rest },
            segments: spec.rest.path.split('/'),
            decodeQuery: queryDecoder(meta.input),
          },
        ],
  );
}

/** Finds what a path names, by method; case and trailing slashes count. Fixed segments win over parameters. */
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

  /** The methods of a path and what each leads to; null for an unknown path. */
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

/** An undecodable parameter stays as it is: it names nothing, and that is what its schema says. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
