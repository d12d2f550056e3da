import type { ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';

/** Maximum number of names in the header. */
const MAX_NAMES = 20;
/** Maximum length of a name, in UTF-16 units. */
const MAX_LENGTH = 100;

/** The names that a call may send: in its query, and in its body. */
export interface AcceptedNames {
  query: ReadonlySet<string>;
  body: ReadonlySet<string>;
}

/** Returns the names that an operation accepts. Those in its path are accepted in neither place. */
export function acceptedNames({ inputSchema, input, rest }: ProcedureSpec): AcceptedNames {
  const names = inputSchema instanceof z.ZodObject ? Object.keys(inputSchema.shape) : [];
  const fields = new Set(names.filter((name) => !rest?.path.includes(`{${name}}`)));
  const nothing = new Set<string>();
  return { query: input === 'query' ? fields : nothing, body: input === 'body' ? fields : nothing };
}

/**
 * Returns the parameters of a query that have no effect: those that the operation does not have, and lists whose values are joined
 * by commas instead of repeated (G-12, G-43).
 */
export function ignoredInQuery({ query: accepted }: AcceptedNames, query: string): string[] {
  const params = new URLSearchParams(query);
  return [...new Set(params.keys())].filter((name) => {
    // The schema rejects a structure of a field (`status[]`), so that it is not ignored.
    if (!accepted.has(name)) return !accepted.has(name.split('[')[0]!);
    return name.endsWith('[]') && params.getAll(name).some((value) => value.includes(','));
  });
}

/** Returns the fields of a body that the operation does not have (G-12). */
export function ignoredInBody({ body: accepted }: AcceptedNames, body: Record<string, unknown>): string[] {
  return Object.keys(body).filter((name) => !accepted.has(name));
}

/** Returns the header with the ignored names, percent-encoded: at most 20 of them. */
export function ignoredParameters(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const encoded = names.slice(0, MAX_NAMES).map((name) =>
    // Brackets are legible in a header, and lists have them in their names.
    encodeURIComponent(name.slice(0, MAX_LENGTH).toWellFormed())
      .replaceAll('%5B', '[')
      .replaceAll('%5D', ']'),
  );
  return { 'Ignored-Parameters': encoded.join(', ') };
}
