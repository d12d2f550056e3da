import type { ProcedureSpec } from '@firmdesk/domain';
import { z } from 'zod';
import type { Json } from './document-components.ts';
import { exampleOf, type Shown } from './document-examples.ts';
import { type NamedSchemas, pascalCase, plainSchema } from './document-schemas.ts';

/** What is known of an operation beside what the generator made of it. */
export interface Declared {
  /** `GET /v1/ping` */
  target: string;
  /** What the names of its own types begin with. */
  type: string;
  spec: ProcedureSpec;
  input: z.ZodType;
  shown: Shown | null;
  named: NamedSchemas;
}

/** Those of path, query and header. */
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

/** What is said of a field that can be left out, the generator drops. */
function inputParameters(operation: Json, { type, input, named }: Declared): Json[] {
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

/** A value of a query in its type: it was sent as text. */
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

/** Whether a client can ask not to write over what it has not seen. */
export function isVersioned(spec: ProcedureSpec): boolean {
  return spec.errors.includes('precondition_failed');
}

/** No body counts as `{}`: it is required where a field of it is. */
export function requestBody(operation: Json, { type, shown, named }: Declared): Json {
  const { content } = operation['requestBody'] as { content: { 'application/json': { schema: Json } } };
  const { schema } = content['application/json'];
  const { required = [] } = schema as { required?: string[] };
  // A title of the input would be that of a schema with the path's parameters in it.
  const { title: _, ...body } = plainSchema(schema, 'in');
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema: named.refer(body, `${type}Request`), ...exampleOf(shown?.request.body) },
    },
  };
}
