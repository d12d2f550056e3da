import { type ErrorCode, errorTable } from '@firmdesk/contract';
import { type AppRouter, type Rule, statusOf } from '@firmdesk/domain';
import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import { z } from 'zod';
import { type Json, usedComponents } from './document-components.ts';
import { refusalExamples, sharedExamples, shownOf } from './document-examples.ts';
import { NamedSchemas, pascalCase, plainSchema } from './document-schemas.ts';
import { declaredProcedures } from './routes.ts';

/** The version of the contract, not of the software: `/v1` grows, and is never broken. */
export const CONTRACT_VERSION = '1.0.0';

const tagDescriptions: Record<string, string> = {
  Affiliates: 'Reservations of referral codes.',
  Calendar: 'Appointments in a window, repeating ones expanded.',
  Devices: 'Phones that are notified.',
  Mail: 'Drafts, and what was thrown away.',
  Notifications: 'The notification centre.',
  Ping: 'Whether a key is valid, and what it may do.',
  Sessions: 'Signing in and out.',
  Tickets: 'Support tickets, for those who help run a firm.',
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
      'Every answer is `{ data, meta }`, every refusal `{ error, meta }`; `meta.request_id` names the call. ' +
      'An answer may have more fields, and more values in a field, than are described here.',
    version: CONTRACT_VERSION,
    baseUrl: serverUrl,
    license: { name: 'MIT', identifier: 'MIT' },
  }) as unknown as Json & { paths: Record<string, Record<string, Json>>; components: Json };

  const tags = new Set<string>();
  const named = new NamedSchemas();
  for (const { name, rule, meta } of declaredProcedures(router)) {
    if (!rule.rest) continue;
    tags.add(rule.tag);
    const item = document.paths[rule.rest.path]!;
    const method = rule.rest.method.toLowerCase();
    item[method] = complete(item[method]!, name, rule, meta.input, named);
  }
  Object.assign(document['info'] as Json, { contact: { name: 'Firmdesk' } });
  document['tags'] = [...tags].sort().map((name) => ({ name, description: tagDescriptions[name] }));
  document.components = usedComponents(document.paths, { schemas: named.schemas, examples: sharedExamples });
  return document;
}

function complete(operation: Json, name: string, rule: Rule, input: z.ZodType, named: NamedSchemas): Json {
  const type = pascalCase(name);
  const generated = operation['responses'] as Record<string, { content?: Json }>;
  const schema = (generated['200']?.content?.['application/json'] as Json | undefined)?.['schema'] as Json;
  const answer = named.refer(plainSchema(envelope(schema, rule.hasMeta), 'out'), `${type}Response`);
  const target = `${rule.rest!.method} ${rule.rest!.path}`;
  const shown = shownOf(target);
  const responses: Json = Object.fromEntries(
    rule.status.map((status) => [
      status,
      {
        description: 'Success',
        headers: headersOf(rule, null),
        content: { 'application/json': { schema: answer, ...exampleOf(shown?.answers[status]) } },
      },
    ]),
  );
  for (const [status, codes] of codesByStatus(rule)) {
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
      'x-error-codes': codes,
      headers: headersOf(rule, codes),
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ErrorResponse' },
          examples: refusalExamples(target, codes),
        },
      },
    };
  }
  const values = { ...shown?.request.params, ...shown?.request.query };
  const parameters = [
    ...inputParameters(operation, type, input, named).map((parameter) => {
      const value = values[String(parameter['name'])];
      return {
        ...parameter,
        ...(value !== undefined && { example: typedAs(parameter['schema'] as Json, value) }),
      };
    }),
    ...headerParameters(rule),
  ];
  return {
    operationId: name.replaceAll('.', '_'),
    tags: [rule.tag],
    summary: rule.summary,
    description: describe(rule),
    ...securityOf(rule),
    ...(parameters.length > 0 && { parameters }),
    ...(rule.input === 'body' && {
      requestBody: requestBody(
        operation['requestBody'] as Json,
        `${type}Request`,
        named,
        shown?.request.body,
      ),
    }),
    responses,
  };
}

/** Those of path and query. What is said of a field that can be left out, the generator drops. */
function inputParameters(operation: Json, type: string, input: z.ZodType, named: NamedSchemas): Json[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>;
  };
  const generated = (operation['parameters'] as { name: string }[] | undefined) ?? [];
  return generated.map(({ name, ...parameter }) => {
    const { description, ...schema } = plainSchema(properties[name]!, 'in');
    // The generator drops the default of what is transformed, like `limit`.
    const left = (input as z.ZodObject).shape[name]!.safeParse(undefined);
    if (left.success && left.data !== undefined) schema['default'] = left.data;
    return {
      name,
      ...parameter,
      ...(description !== undefined && { description }),
      schema: named.refer(schema, `${type}${pascalCase(name)}`),
    };
  });
}

/** What it asks for, which the security of a bearer token has no place to say. */
function securityOf({ access }: Rule): Json {
  if (access.level === 'public') return { security: [] };
  return {
    security: [{ bearer: [] }],
    ...(access.scope && { 'x-required-scope': access.scope }),
    ...(access.level === 'admin' && { 'x-required-permissions': access.permissions }),
  };
}

function exampleOf(value: Json | undefined): Json {
  return value ? { examples: { demo: { summary: 'In the demo world', value } } } : {};
}

/** A value of a query in its type: it was sent as text. */
function typedAs({ type }: Json, text: string): unknown {
  return type === 'integer' ? Number(text) : text;
}

/** No body counts as `{}`: it is required where a field of it is. */
function requestBody(generated: Json, name: string, named: NamedSchemas, example: Json | undefined): Json {
  const { schema } = (generated['content'] as { 'application/json': { schema: Json } })['application/json'];
  const { required = [] } = schema as { required?: string[] };
  // A title of the input would be that of a schema with the path's parameters in it.
  const { title: _, ...body } = plainSchema(schema, 'in');
  return {
    required: required.length > 0,
    content: { 'application/json': { schema: named.refer(body, name), ...exampleOf(example) } },
  };
}

/** The headers of an answer: of success (null), or of the refusals of one status. */
function headersOf(rule: Rule, codes: ErrorCode[] | null): Json {
  const status = codes ? statusOf(rule, codes[0]!) : null;
  const isReplayed = codes ? codes.some((code) => errorTable[code].replayed) : true;
  const isPassing = codes?.some((code) => passing.includes(code));
  const names = [
    'X-Request-Id',
    ...(rule.access.level !== 'public' ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : []),
    ...(rule.idempotent && isReplayed ? ['Idempotent-Replayed', 'Idempotency-Body-Mismatch'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(codes === null && isVersioned(rule) ? ['ETag'] : []),
    ...(isPassing ? ['Retry-After'] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Whether a client can ask not to write over what it has not seen. */
function isVersioned(rule: Rule): boolean {
  return rule.errors.includes('precondition_failed');
}

/** Refusals that say when to try again. */
const passing: ErrorCode[] = ['rate_limited', 'unavailable', 'idempotency_key_in_use'];

/** `data` and `meta` around the procedure's answer, or `request_id` inside the `meta` that it brings. */
function envelope(schema: Json, hasMeta: boolean): Json {
  const requestId = {
    type: 'string',
    pattern: '^req_',
    description: 'Names the call; the header X-Request-Id too',
  };
  const own = hasMeta
    ? (schema['properties'] as { data: Json; meta: Json })
    : { data: schema, meta: { title: 'Meta' } as Json };
  return {
    type: 'object',
    required: ['data', 'meta'],
    properties: {
      data: own.data,
      meta: {
        ...own.meta,
        type: 'object',
        properties: { request_id: requestId, ...(own.meta['properties'] as Json | undefined) },
        required: ['request_id', ...((own.meta['required'] as string[] | undefined) ?? [])],
      },
    },
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
    ...(isVersioned(rule) ? [{ $ref: '#/components/parameters/If-Match' }] : []),
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
