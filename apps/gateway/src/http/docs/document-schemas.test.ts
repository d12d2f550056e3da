import { type Json, published } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';

/** Returns every schema of the document with its path; a referenced one at its own path. */
function* schemasOf(node: Json, at: string): Generator<[at: string, schema: Json]> {
  if (Array.isArray(node)) {
    for (const [index, member] of node.entries()) yield* schemasOf(member, `${at}/${index}`);
  } else if (typeof node === 'object' && node !== null) {
    if ('type' in node || 'anyOf' in node || 'oneOf' in node || 'allOf' in node || '$ref' in node)
      yield [at, node];
    for (const [key, member] of Object.entries(node)) {
      // An example contains values and no schemas.
      if (!['examples', 'example', 'default', 'enum'].includes(key)) yield* schemasOf(member, `${at}/${key}`);
    }
  }
}

const schemas = [...schemasOf(published, '')].filter(([at]) => !at.includes('/securitySchemes/'));
/** Returns the paths of the schemas with a construct that generators do not support. */
const placesOf = (has: (schema: Json, at: string) => unknown) =>
  schemas.filter(([at, schema]) => has(schema, at)).map(([at]) => at);
const isNamed = (at: string) => /^\/components\/schemas\/\w+$/.test(at);

test('every schema of the components has a description', () => {
  const named = Object.entries(published.components.schemas as Record<string, Json>);
  expect(named.length).toBeGreaterThan(50);
  expect(
    named.filter(([, { description }]) => !/^[A-Z].{4,}\.$/.test(description)).map(([name]) => name),
  ).toEqual([]);
});

// Each of these constructs broke a generated client, at build time or at its first response: docs/decisions/0006.
describe('constructs that generators of Swift and Kotlin clients do not support', () => {
  test('has no union: no anyOf, oneOf or allOf, and at most one type beside null', () => {
    expect(schemas.length).toBeGreaterThan(300);
    expect(placesOf(({ anyOf, oneOf, allOf, not }) => anyOf ?? oneOf ?? allOf ?? not)).toEqual([]);
    expect(placesOf(({ type }) => Array.isArray(type) && !(type.length === 2 && type[1] === 'null'))).toEqual(
      [],
    );
    expect(placesOf(({ type }) => type === 'null')).toEqual([]);
  });

  test('has no const, no patternProperties, and no keyword that OpenAPI 3.1 dropped', () => {
    expect(
      placesOf((schema) =>
        ['const', 'patternProperties', 'propertyNames', 'nullable', 'example', '$schema'].find(
          (key) => key in schema,
        ),
      ),
    ).toEqual([]);
    expect(
      placesOf(({ exclusiveMinimum, exclusiveMaximum }) => exclusiveMinimum ?? exclusiveMaximum),
    ).toEqual([]);
  });

  test('gives every object and enumeration its own name, which is not a keyword of either language', () => {
    expect(placesOf(({ properties }, at) => properties && !isNamed(at))).toEqual([]);
    expect(placesOf((schema, at) => schema.enum?.length > 1 && !isNamed(at))).toEqual([]);
    const names = Object.keys(published.components.schemas);
    expect(names.filter((name) => !/^[A-Z][A-Za-z0-9]+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
    const words = [
      'Any',
      'Array',
      'Data',
      'Date',
      'Error',
      'List',
      'Map',
      'Object',
      'Result',
      'String',
      'Type',
      'Unit',
    ];
    expect(names.filter((name) => words.includes(name))).toEqual([]);
  });

  test('has no closed response: a new field or value is not an error', () => {
    expect(placesOf(({ additionalProperties }) => additionalProperties === false)).toEqual([]);
    const sent = [...schemasOf(published.paths, '')].filter(([at]) => /\/responses\/\d+\/content/.test(at));
    const reached = new Set<string>();
    const visit = (schema: Json) => {
      for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        if (reached.has(name!)) continue;
        reached.add(name!);
        visit(published.components.schemas[name!]);
      }
    };
    for (const [, schema] of sent) visit(schema);
    expect(reached.size).toBeGreaterThan(20);
    const inAnswer = (at: string) => reached.has(at.split('/')[3] ?? '');
    expect(placesOf((schema, at) => schema.enum?.length > 1 && inAnswer(at))).toEqual([]);
  });

  test('inlines objects with arbitrary members', () => {
    expect(
      placesOf(({ type, properties }, at) => [type].flat().includes('object') && !properties && isNamed(at)),
    ).toEqual([]);
    const free = placesOf(({ additionalProperties }) => additionalProperties !== undefined);
    expect(free).toEqual(placesOf(({ additionalProperties }) => additionalProperties === true));
  });

  test('gives every integer a width, and bounds within it', () => {
    const integers = schemas.filter(([, { type }]) => [type].flat().includes('integer'));
    expect(integers.length).toBeGreaterThan(10);
    for (const [at, { format, minimum = 0, maximum = 0 }] of integers) {
      expect(['int32', 'int64'], at).toContain(format);
      const most = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
      expect(Math.max(Math.abs(minimum), maximum), at).toBeLessThanOrEqual(most);
    }
  });

  test('turns values into constants with different names', () => {
    for (const [at, schema] of schemas.filter(([, { enum: values }]) => values)) {
      const names: string[] = (schema['x-enum-varnames'] ?? schema.enum).map(String);
      expect(
        names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name)),
        at,
      ).toEqual([]);
      expect(new Set(names).size, at).toBe(schema.enum.length);
    }
  });

  test('names operations and parameters with valid identifiers', () => {
    const operations: Json[] = Object.values<Json>(published.paths).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId.replaceAll('_', '').toLowerCase());
    expect(new Set(ids).size).toBe(ids.length);
    const names = operations.flatMap(({ parameters = [] }) =>
      parameters.flatMap(({ in: place, name }: Json) =>
        place === 'query' || place === 'path' ? [name] : [],
      ),
    );
    // The contract's own name, which both generators escape.
    expect(names.filter((name: string) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual(['calendars[]']);
  });
});

describe('the documentation of every property and parameter', () => {
  const parameters = Object.values<Json>(published.paths)
    .flatMap((item) => Object.values<Json>(item))
    .flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ $ref }: Json) => !$ref)
        .map(({ schema, ...rest }: Json) => [`${operationId} ${rest.name}`, { ...schema, ...rest }]),
    );
  const properties = schemas.flatMap(([at, { properties = {} }]) =>
    Object.entries<Json>(properties).map(([name, property]) => [`${at}/${name}`, property]),
  );
  const fields: [at: string, field: Json][] = [...parameters, ...properties];

  test('has a description, except where a reference leads to one', () => {
    expect(fields.length).toBeGreaterThan(200);
    expect(fields.filter(([, field]) => !field.$ref && !field.description).map(([at]) => at)).toEqual([]);
  });

  test('has an example, except where a reference leads to its parts or there is only one value', () => {
    const isComposed = ({ $ref, items, enum: values }: Json) => $ref ?? items?.$ref ?? values;
    expect(
      fields
        .filter(([, field]) => !isComposed(field) && !(field.examples ?? field.example))
        .map(([at]) => at),
    ).toEqual([]);
  });

  test('has no default in a body, which would make generated types require the field', () => {
    expect(properties.filter(([, { default: value }]) => value !== undefined).map(([at]) => at)).toEqual([]);
  });
});
