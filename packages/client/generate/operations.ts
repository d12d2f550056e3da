import { errorDocumentation, errorTable } from '@firmdesk/contract';

const HEADER = `// Written by \`pnpm --filter @firmdesk/client generate\` from the examples in apps/gateway/openapi.json.
import type { RecordedOperation } from '../recorded-operation.ts';
`;

// biome-ignore lint/suspicious/noExplicitAny: a JSON document without a schema
type Json = any;

/**
 * Returns the source of the module with the operations of `/v1` and their recorded responses, for the gateway in memory, which makes the ids
 * of requests itself.
 */
export function printOperations({ paths, components }: Json): string {
  const operations = Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => printedOperation(method, path, operation)),
  );
  const shared = Object.entries<Json>(components.examples).map(([code, { value }]) => [code, value]);
  // It belongs to a path and not to an operation, so that the document has no example.
  const code = 'method_not_allowed';
  const error = { code, message: errorTable[code].message, doc_url: errorDocumentation(code) };
  shared.push([code, { error, meta: {} }]);
  return `${HEADER}
export const operations: readonly RecordedOperation[] = ${JSON.stringify(operations)};

/** The bodies of the errors with their default messages, by code. */
export const sharedErrors: Record<string, { error: object; meta: object }> = ${JSON.stringify(Object.fromEntries(shared))};
`;
}

function printedOperation(method: string, path: string, { security, responses }: Json): Json {
  const examples = Object.entries<Json>(responses).flatMap(([status, { content }]) =>
    Object.entries<Json>(content?.['application/json'].examples ?? {}).map(([code, { value }]) => ({
      code,
      status: Number(status),
      body: value,
    })),
  );
  const errors = examples.filter(({ status }) => status >= 400);
  // A created resource has 201, a replaced one 200.
  const { status, body } = examples.findLast(({ status }) => status < 300)!;
  const { request_id: _, ...meta } = body.meta;
  return {
    method: method.toUpperCase(),
    path,
    isPublic: security.length === 0,
    success: { status, body: { ...body, meta } },
    errors: Object.fromEntries(errors.map((error) => [error.code, detailsOf(error)])),
  };
}

/** Returns what an error has of its own: the rest is in `sharedErrors`. */
function detailsOf({ status, body }: Json): Json {
  if (!body) return { status };
  const { code: _code, doc_url: _url, ...error } = body.error;
  return { status, error };
}
