import type { ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';
import type { Json } from './document-components.ts';
import { exampleOf, type RecordedExamples } from './document-examples.ts';
import { type NamedSchemas, pascalCase, plainSchema } from './document-schemas.ts';

/** The properties of an operation that trpc-to-openapi does not know. */
export interface DeclaredOperation {
  /** `GET /v1/ping` */
  target: string;
  /** The prefix of the names of the operation's own types. */
  type: string;
  spec: ProcedureSpec;
  input: z.ZodType;
  examples: RecordedExamples | null;
  schemas: NamedSchemas;
}

/** Returns the parameters in path, query and headers. */
export function parametersOf(operation: Json, declared: DeclaredOperation): Json[] {
  const values = { ...declared.examples?.request.params, ...declared.examples?.request.query };
  const own = inputParameters(operation, declared).map((parameter) => {
    const value = values[String(parameter['name'])];
    return {
      ...parameter,
      ...(value !== undefined && { example: typedAs(parameter['schema'] as Json, value) }),
    };
  });
  return [...own, ...headerParameters(declared.spec)];
}

/** Returns the parameters in path and query, with the descriptions and defaults that the generator drops. */
function inputParameters(operation: Json, { type, input, schemas }: DeclaredOperation): Json[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>;
  };
  const generated = (operation['parameters'] as { name: string }[] | undefined) ?? [];
  return generated.map(({ name, ...parameter }) => {
    const { description, ...schema } = plainSchema(properties[name]!, 'in');
    // The generator drops the default of a transformed field such as `limit`.
    const left = (input as z.ZodObject).shape[name]!.safeParse(undefined);
    if (left.success && left.data !== undefined) schema['default'] = left.data;
    return {
      name,
      ...parameter,
      ...(description !== undefined && { description }),
      schema: schemas.refer(schema, `${type}${pascalCase(name)}`),
    };
  });
}

/** Converts a query value, which is sent as text, to its type. */
function typedAs({ type }: Json, text: string): unknown {
  return type === 'integer' ? Number(text) : text;
}

function headerParameters(spec: ProcedureSpec): Json[] {
  return [
    ...(spec.idempotent ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
    ...(isVersioned(spec) ? [{ $ref: '#/components/parameters/If-Match' }] : []),
    ...(spec.conditional ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ...(spec.access.level === 'workspace' || spec.access.level === 'admin'
      ? [{ $ref: '#/components/parameters/Service-Workspace' }]
      : []),
  ];
}

/** Returns whether the operation takes `If-Match`. */
export function isVersioned(spec: ProcedureSpec): boolean {
  return spec.requestHeaders.includes('If-Match');
}

/** Returns the request body. It is required if one of its fields is, because an absent body counts as `{}`. */
export function requestBody(operation: Json, { type, examples, schemas }: DeclaredOperation): Json {
  const { content } = operation['requestBody'] as { content: { 'application/json': { schema: Json } } };
  const { schema } = content['application/json'];
  const { required = [] } = schema as { required?: string[] };
  // The input's title belongs to a schema that includes the path's parameters.
  const { title: _, ...body } = describeDefaults(plainSchema(schema, 'in'));
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: schemas.refer(body, `${type}Request`),
        ...exampleOf(examples?.request.body),
      },
    },
  };
}

/** Replaces `default` of a body's fields by a sentence and `x-default`: generators make a field with a `default` required. */
function describeDefaults(body: Json): Json {
  const properties = Object.entries(body['properties'] as Record<string, Json>).map(([name, property]) => {
    const { default: value, ...rest } = property;
    if (value === undefined) return [name, property];
    const described = `${rest['description']}. By default \`${JSON.stringify(value)}\`.`;
    return [name, { ...rest, description: described, 'x-default': value }];
  });
  return { ...body, properties: Object.fromEntries(properties) };
}
