import superjson from 'superjson';
import { z } from 'zod';
import { decodeInput } from './decode-input.ts';

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'string',
  'number',
  'boolean',
  'null',
  'enum',
  'template_literal',
]);

/**
 * Returns whether every value of a schema is plain JSON: no date, map, set, bigint or other value that JSON cannot carry.
 * Schemas that accept anything are not plain.
 */
export function isPlainJson(schema: z.core.$ZodType, seen = new Set<z.core.$ZodType>()): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const isPlain = (inner: z.core.$ZodType) => isPlainJson(inner, seen);
  if (PLAIN_TYPES.has(schema._zod.def.type)) return true;
  if (schema instanceof z.ZodLiteral) return [...schema.values].every((value) => typeof value !== 'bigint');
  if (schema instanceof z.ZodObject) {
    const { catchall } = schema.def;
    const isClosed = catchall === undefined || catchall instanceof z.ZodNever || isPlain(catchall);
    return isClosed && Object.values(schema.shape).every(isPlain);
  }
  if (schema instanceof z.ZodArray) return isPlain(schema.element);
  if (schema instanceof z.ZodRecord) return isPlain(schema.valueType);
  if (schema instanceof z.ZodUnion) return schema.options.every(isPlain);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return isPlain(schema.unwrap() as z.core.$ZodType);
  }
  if (schema instanceof z.ZodPipe) return isPlain(schema.out);
  return false;
}

const plainOutputs = new WeakSet<object>();

/** Marks an output as plain JSON, so that {@link transformer} does not walk it. */
export function markPlainJson(output: unknown): void {
  if (typeof output === 'object' && output !== null) plainOutputs.add(output);
}

/**
 * The transformer of typed RPC: superjson, except that few annotations of inputs are accepted, and that plain JSON outputs are not
 * walked. The walk takes several times as long as `JSON.stringify`. Clients deserialize both in the same way.
 */
export const transformer = {
  input: { serialize: superjson.serialize, deserialize: decodeInput },
  output: {
    serialize: (value: unknown) =>
      typeof value === 'object' && value !== null && plainOutputs.has(value)
        ? { json: value }
        : superjson.serialize(value),
    // biome-ignore lint/suspicious/noExplicitAny: the type that tRPC demands
    deserialize: (value: any) => superjson.deserialize(value) as any,
  },
};
