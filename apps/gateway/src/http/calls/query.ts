import { z } from 'zod';

/** Converts a query string to the input of a procedure. */
export type DecodeQuery = (query: string) => Record<string, unknown>;

type FieldKind = 'text' | 'integer' | 'boolean' | 'list';

/**
 * Returns a decoder that converts query values to the declared type of each field. It leaves invalid numbers, repeated parameters
 * and structures (`status[]=x`) unconverted, so that the schema rejects them with the field's own code. Ignores undeclared
 * parameters.
 */
export function queryDecoder(input: z.ZodType): DecodeQuery {
  if (!(input instanceof z.ZodObject)) return () => ({});
  const kinds = Object.entries(input.shape).map(
    ([name, schema]) => [name, kindOf(schema as z.ZodType)] as const,
  );
  return (query) => {
    const params = new URLSearchParams(query);
    const structured = [...params.keys()].filter((key) => key.includes('['));
    const fields: Record<string, unknown> = {};
    for (const [name, kind] of kinds) {
      const values = params.getAll(name);
      if (kind === 'list') {
        if (values.length > 0) fields[name] = values;
        continue;
      }
      const isStructure = structured.some((key) => key.startsWith(`${name}[`));
      if (values.length > 1 || isStructure) fields[name] = values;
      else if (values.length === 1) fields[name] = decode(values[0]!, kind);
    }
    return fields;
  };
}

function decode(text: string, kind: FieldKind): unknown {
  if (kind === 'integer' && /^(0|[1-9]\d*)$/.test(text))
    return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function kindOf(schema: z.ZodType): FieldKind {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return kindOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return kindOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodNumber) return 'integer';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodArray) return 'list';
  return 'text';
}
