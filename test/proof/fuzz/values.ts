import type { Json } from '@firmdesk/testing/gateway';
import fc from 'fast-check';

/** Values that often break parsers, for any field. */
const odd: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  '',
  ' ',
  '0',
  '1',
  'true',
  'null',
  '\0',
  'a\0b',
  '\ud800',
  '\udc00tail',
  '🙂'.repeat(40),
  'ı İ ﬃ ﷽',
  "'; drop table users; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  '2026-02-30',
  '2026-11-21T25:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01',
  'usr_',
  'tkt_00000000000000000000000000',
  'x'.repeat(3_000),
  [],
  [null],
  [[]],
  {},
  { length: 1 },
  { toString: 1, valueOf: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  nested(200),
];

/** Any value: an odd or a random one. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  // Infinity and NaN go over the wire as null.
  { weight: 1, arbitrary: fc.oneof(fc.integer(), fc.double({ noDefaultInfinity: true, noNaN: true })) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Returns values of a schema's type, which may violate its refinements. */
export function valueLike(schema: Json): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches: Json[] | undefined = schema.anyOf ?? schema.oneOf;
  if (branches) return fc.oneof(...branches.map(valueLike));
  const examples: unknown[] = schema.examples ?? [];
  const general = ofType(schema);
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), general) : general;
}

function ofType(schema: Json): fc.Arbitrary<unknown> {
  switch ([schema.type].flat()[0]) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries<Json>(schema.properties ?? {}).map(([key, member]) => [key, valueLike(member)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    case 'array':
      return fc.array(valueLike(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, schema.exclusiveMinimum ?? 0, -1_000),
        max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1),
      });
    case 'null':
      return fc.constant(null);
    case 'string':
      return text(schema);
    default:
      return anyValue;
  }
}

function text({ pattern, format, minLength = 0, maxLength = 100 }: Json): fc.Arbitrary<string> {
  if (format === 'idn-email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  if (format === 'uri') return fc.webUrl();
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  // fast-check cannot generate look-arounds: examples and random text cover those.
  const hasLookaround = pattern?.includes('(?!') || pattern?.includes('(?=');
  if (pattern && !hasLookaround) return fc.stringMatching(new RegExp(pattern), { maxLength: 300 });
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 100) });
}

/** One change to an input: a field that is set, removed (`undefined`) or added. */
export interface Change {
  path: (string | number)[];
  value: unknown;
}

/** Returns up to three changes to a valid input: of fields of the schema, or of unknown ones. */
export function randomChanges(schema: Json): fc.Arbitrary<Change[]> {
  const toFields = fieldsIn(schema).map(({ path, schema: own }) =>
    fc.oneof(
      { weight: 3, arbitrary: valueLike(own).map((value): Change => ({ path, value })) },
      { weight: 3, arbitrary: anyValue.map((value): Change => ({ path, value })) },
      { weight: 1, arbitrary: fc.constant<Change>({ path, value: undefined }) },
    ),
  );
  const strayKey = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'id', ''), fc.string());
  const stray = fc.tuple(strayKey, anyValue).map(([key, value]): Change => ({ path: [key], value }));
  return fc.array(fc.oneof(...toFields, stray), { maxLength: 3 });
}

/** Returns every field of a schema at any depth; for a list, its first item. */
export function fieldsIn(
  schema: Json,
  path: (string | number)[] = [],
): { path: (string | number)[]; schema: Json }[] {
  const own = path.length > 0 ? [{ path, schema }] : [];
  const branches: Json[] = schema.anyOf ?? schema.oneOf ?? [];
  const inner = [schema, ...branches].flatMap((branch) => [
    ...Object.entries<Json>(branch.properties ?? {}).flatMap(([key, member]) =>
      fieldsIn(member, [...path, key]),
    ),
    ...(branch.items ? fieldsIn(branch.items, [...path, 0]) : []),
  ]);
  return [...own, ...inner];
}

/** Returns the input with the changes. `__proto__` becomes an own key, as in JSON. */
export function applyChanges(
  input: Record<string, unknown>,
  changes: readonly Change[],
): Record<string, unknown> {
  const result = structuredClone(input);
  for (const { path, value } of changes) {
    let at: Record<string | number, unknown> = result;
    for (const [i, step] of path.slice(0, -1).entries()) {
      const next = Object.getOwnPropertyDescriptor(at, step)?.value;
      if (typeof next !== 'object' || next === null)
        setOwn(at, step, typeof path[i + 1] === 'number' ? [] : {});
      at = at[step] as typeof at;
    }
    const last = path.at(-1)!;
    if (value === undefined) delete at[last];
    else setOwn(at, last, value);
  }
  return result;
}

function setOwn(at: object, key: string | number, value: unknown): void {
  Object.defineProperty(at, key, { value, enumerable: true, writable: true, configurable: true });
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
}
