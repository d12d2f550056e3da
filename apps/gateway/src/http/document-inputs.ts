import type { ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';
import type { Json } from './document-components.ts';
import { exampleOf, type Shown } from './document-examples.ts';
import { type NamedSchemas, pascalCase, plainSchema } from './document-schemas.ts';

/** The parts of an operation that the generator does not know. */
export interface Declared {
  /** `GET /v1/ping` */
  target: string;
  /** The prefix of the names of its own types. */
  type: string;
  spec: ProcedureSpec;
  input: z.ZodType;
  shown: Shown | null;
  named: NamedSchemas;
}

/** Returns the parameters in path, query and headers. */
export function parametersOf(operation: Json, declared: Declared): Json[] {
  const values = { ...declared.shown?.request.params, ...declared.shown?.request.query };
  const own = inputParameters(operation, declared).map((parameter) => {
    const value = values[String(parameter['name'])];
    return {
      ...parameter,
      ...(value !== undefined && { example: typedAs(parameter['schema'] as Json, value) }),
    };
  });
  return [...own, ...headerParameters(declared.spec)];
}

/** Returns the description of an optional field, which the generator drops. */
function inputParameters(operation: Json, { type, input, named }: Declared): Json[] {
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
      schema: named.refer(schema, `${type}${pascalCase(name)}`),
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
export function requestBody(operation: Json, { type, shown, named }: Declared): Json {
  const { content } = operation['requestBody'] as { content: { 'application/json': { schema: Json } } };
  const { schema } = content['application/json'];
  const { required = [] } = schema as { required?: string[] };
  // The input's title belongs to a schema that includes the path's parameters.
  const { title: _, ...body } = plainSchema(schema, 'in');
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema: named.refer(body, `${type}Request`), ...exampleOf(shown?.request.body) },
    },
  };
}
