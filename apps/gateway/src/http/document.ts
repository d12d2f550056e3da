import { type ErrorCode, errorTable } from '@firmdesk/contract';
import { type AppRouter, type Rule, statusOf } from '@firmdesk/domain';
import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import { declaredProcedures } from './routes.ts';

type Json = Record<string, unknown>;

/** The version of the contract, not of the software: `/v1` grows, and is never broken. */
export const CONTRACT_VERSION = '1.0.0';

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const REPLAY_HEADERS = {
  'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' },
  'Idempotency-Body-Mismatch': { $ref: '#/components/headers/Idempotency-Body-Mismatch' },
};

/**
 * The OpenAPI 3.1 document of `/v1`. trpc-to-openapi gives paths, parameters and schemas; what it has no notion of (the
 * envelope, statuses, error codes, header parameters) is completed from each procedure's rule.
 */
export function openApiDocument(router: AppRouter, serverUrl: string): Json {
  const document = generateOpenApiDocument(router as unknown as OpenApiRouter, {
    title: 'Firmdesk',
    description:
      'Mail, calendar, devices, notifications, support tickets and affiliate pre-registrations of a trading firm. ' +
      'Every answer is `{ data, meta }`, every refusal `{ error, meta }`; `meta.request_id` names the call.',
    version: CONTRACT_VERSION,
    baseUrl: serverUrl,
    license: { name: 'MIT', identifier: 'MIT' },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, or the token of a signed-in device.',
      },
    },
  }) as unknown as Json & { paths: Record<string, Record<string, Json>>; components: Json };

  const tags = new Set<string>();
  const used = new Set<number>();
  for (const { name, rule } of declaredProcedures(router)) {
    if (!rule.rest) continue;
    tags.add(rule.tag);
    const item = document.paths[rule.rest.path]!;
    const method = rule.rest.method.toLowerCase();
    item[method] = complete(item[method]!, name, rule, used);
  }
  document['tags'] = [...tags].sort().map((tag) => ({ name: tag }));
  document.components = { ...document.components, ...components(used) };
  return document;
}

function complete(operation: Json, name: string, rule: Rule, used: Set<number>): Json {
  const generated = operation['responses'] as Record<string, { content?: Json }>;
  const schema = (generated['200']?.content?.['application/json'] as Json | undefined)?.['schema'] as Json;
  const success = {
    description: 'Success',
    headers: { ...REQUEST_ID, ...(rule.idempotent && REPLAY_HEADERS) },
    content: { 'application/json': { schema: envelope(schema, rule.hasMeta) } },
  };
  const responses: Json = Object.fromEntries(rule.status.map((status) => [status, success]));
  for (const [status, codes] of codesByStatus(rule)) {
    used.add(status);
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
      headers: {
        ...REQUEST_ID,
        ...((status === 429 || status === 503) && {
          'Retry-After': { $ref: '#/components/headers/Retry-After' },
        }),
      },
      content: { 'application/json': { schema: errorSchema(codes) } },
    };
  }
  const parameters = [...((operation['parameters'] as Json[] | undefined) ?? []), ...headerParameters(rule)];
  return {
    operationId: name.replaceAll('.', '_'),
    tags: [rule.tag],
    summary: rule.summary,
    description: describe(rule),
    security: rule.access.level === 'public' ? [] : [{ bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(operation['requestBody'] !== undefined && { requestBody: operation['requestBody'] }),
    responses,
  };
}

/** `data` and `meta` around the procedure's answer, or `request_id` inside the `meta` that it brings. */
function envelope(schema: Json, hasMeta: boolean): Json {
  const requestId = {
    type: 'string',
    pattern: '^req_',
    description: 'Names the call; the header X-Request-Id too',
  };
  const own = hasMeta
    ? (schema['properties'] as { data: Json; meta: Json })
    : { data: schema, meta: {} as Json };
  return {
    type: 'object',
    required: ['data', 'meta'],
    additionalProperties: false,
    properties: {
      data: own.data,
      meta: {
        type: 'object',
        properties: { request_id: requestId, ...(own.meta['properties'] as Json | undefined) },
        required: ['request_id', ...((own.meta['required'] as string[] | undefined) ?? [])],
        additionalProperties: false,
      },
    },
  };
}

function errorSchema(codes: ErrorCode[]): Json {
  return {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'object', properties: { code: { enum: codes } } } } },
    ],
  };
}

function codesByStatus(rule: Rule): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  // A path and method that exist can be refused for their method only on paths where others exist: not per operation.
  for (const code of rule.errors) {
    const status = statusOf(rule, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([a], [b]) => a - b);
}

function headerParameters(rule: Rule): Json[] {
  return [
    ...(rule.idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(rule.access.level === 'firm' || rule.access.level === 'admin'
      ? [{ $ref: '#/components/parameters/Service-Workspace' }]
      : []),
  ];
}

function describe(rule: Rule): string {
  const { access } = rule;
  const needs =
    access.level === 'public'
      ? ['Needs no token.']
      : [access.scope ? `Scope: \`${access.scope}\`.` : 'Needs a token, and no scope.'];
  if (access.level === 'admin') {
    needs.push(
      access.permissions.length > 0
        ? `Permissions: ${access.permissions.map((permission) => `\`${permission}\``).join(', ')}.`
        : 'Needs admin access.',
    );
  }
  return [rule.description, needs.join(' ')].filter(Boolean).join('\n\n');
}

function components(used: Set<number>): Json {
  return {
    parameters: {
      'Idempotency-Key': {
        name: 'Idempotency-Key',
        in: 'header',
        required: true,
        description:
          'A UUID. The same key again replays the earlier answer instead of executing again, for 72 hours.',
        schema: { type: 'string', format: 'uuid' },
      },
      'Service-Workspace': {
        name: 'Service-Workspace',
        in: 'header',
        required: false,
        description:
          'The firm’s slug. Needed from the service’s own staff; a firm’s own people may leave it out.',
        schema: { type: 'string' },
      },
    },
    headers: {
      'X-Request-Id': { description: 'The call’s id.', schema: { type: 'string' } },
      'Idempotent-Replayed': {
        description: '`true` when an earlier answer was replayed.',
        schema: { type: 'string' },
      },
      'Idempotency-Body-Mismatch': {
        description: '`true` when the replayed answer was given to another body.',
        schema: { type: 'string' },
      },
      ...((used.has(429) || used.has(503)) && {
        'Retry-After': { description: 'Seconds to wait.', schema: { type: 'string' } },
      }),
    },
    schemas: {
      Error: {
        type: 'object',
        required: ['error', 'meta'],
        additionalProperties: false,
        properties: {
          error: {
            type: 'object',
            required: ['code', 'message'],
            additionalProperties: false,
            properties: {
              code: { type: 'string', description: 'Stable; branch on this.' },
              message: { type: 'string', description: 'Prose, never to be parsed.' },
              fields: {
                type: 'array',
                description: 'What was refused, with `validation_failed`.',
                items: {
                  type: 'object',
                  required: ['path', 'message'],
                  additionalProperties: false,
                  properties: { path: { type: 'string' }, message: { type: 'string' } },
                },
              },
            },
          },
          meta: {
            type: 'object',
            required: ['request_id'],
            additionalProperties: false,
            properties: { request_id: { type: 'string', pattern: '^req_' } },
          },
        },
      },
    },
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, or the token of a signed-in device.',
      },
    },
  };
}
