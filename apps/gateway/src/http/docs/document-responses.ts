import { type ErrorCode, errorTable } from '@firmdesk/contract';
import { type ProcedureSpec, statusOf } from '@firmdesk/domain';
import type { Json } from './document-components.ts';
import { errorExamples, exampleOf } from './document-examples.ts';
import { type DeclaredOperation, isVersioned } from './document-inputs.ts';
import { plainSchema } from './document-schemas.ts';

/** Returns the responses of an operation by status: success, and the errors of its specification. */
export function responsesOf(
  operation: Json,
  { target, type, spec, examples, schemas }: DeclaredOperation,
): Json {
  const generated = operation['responses'] as Record<string, { content?: Json }>;
  const schema = (generated['200']?.content?.['application/json'] as Json | undefined)?.['schema'] as Json;
  const body = schemas.refer(plainSchema(envelope(schema, spec.hasMeta), 'out'), `${type}Response`);
  const successes = spec.status.map((status) => [
    status,
    {
      description: 'Success',
      headers: headersOf(spec, null),
      content: { 'application/json': { schema: body, ...exampleOf(examples?.responses[status]) } },
    },
  ]);
  const errors = codesByStatus(spec).map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
      'x-error-codes': codes,
      headers: headersOf(spec, codes),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ApiErrorBody' },
          examples: errorExamples(target, codes),
        },
      },
    },
  ]);
  const unchanged = spec.conditional
    ? [
        [
          304,
          { description: 'Not modified since the response with this `ETag`', headers: headersOf(spec, null) },
        ],
      ]
    : [];
  return Object.fromEntries([...successes, ...unchanged, ...errors]);
}

/** Returns the headers of a response: of success (`codes` is null), or of the errors with one status. */
function headersOf(spec: ProcedureSpec, codes: ErrorCode[] | null): Json {
  const status = codes ? statusOf(spec, codes[0]!) : null;
  const isReplayed = codes ? codes.some((code) => errorTable[code].replayed) : true;
  const hasRetryAfter = codes?.some((code) => withRetryAfter.includes(code));
  const names = [
    'X-Request-Id',
    'Request-Id',
    'Ignored-Parameters',
    ...(spec.access.level !== 'public' ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
    ...(spec.idempotent && isReplayed
      ? ['Idempotent-Replayed', 'Original-Request', 'Idempotency-Body-Mismatch']
      : []),
    ...(status === 415 ? ['Accept-Encoding'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(codes === null && (isVersioned(spec) || spec.conditional) ? ['ETag'] : []),
    ...(hasRetryAfter ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The error codes whose responses have `Retry-After`. */
const withRetryAfter: ErrorCode[] = ['rate_limited', 'unavailable', 'idempotency_key_in_use'];

/** Returns the schema of the envelope: `data` and `meta` around the output, or `request_id` inside the output's own `meta`. */
function envelope(schema: Json, hasMeta: boolean): Json {
  const requestId = {
    type: 'string',
    pattern: '^req_',
    description: 'The id of the call, as in the header `X-Request-Id`',
    examples: ['req_01kar9x4z8c5m7p2t6v3000000'],
  };
  const own = hasMeta
    ? (schema['properties'] as { data: Json; meta: Json })
    : { data: schema, meta: { title: 'Meta' } as Json };
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data:
        own.data['type'] === 'array'
          ? { description: 'The rows, in the order of the list', ...own.data }
          : own.data,
      meta: {
        ...own.meta,
        type: 'object',
        properties: { request_id: requestId, ...(own.meta['properties'] as Json | undefined) },
        required: ['request_id', ...((own.meta['required'] as string[] | undefined) ?? [])],
      },
    },
  };
}

function codesByStatus(spec: ProcedureSpec): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  // `method_not_allowed` belongs to a path and not to an operation.
  for (const code of spec.errors) {
    const status = statusOf(spec, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}
