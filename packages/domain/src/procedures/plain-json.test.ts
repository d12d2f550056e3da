import superjson from 'superjson';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { appRouter } from '../app/router.ts';
import { isPlainJson, markPlainJson, transformer } from './plain-json.ts';
import type { ProcedureMeta } from './spec.ts';

test('every output is plain JSON, except streams, the metadata of affiliates and the payloads of pushes', () => {
  const procedures = Object.entries(appRouter._def.procedures) as [
    string,
    { _def: { meta: ProcedureMeta } },
  ][];
  const others = procedures.filter(([, { _def }]) => !_def.meta.spec.hasPlainOutput);
  const unexpected = others.filter(
    ([name, { _def }]) =>
      _def.meta.spec.kind !== 'subscription' && !name.startsWith('affiliates.') && name !== 'devices.pushes',
  );
  expect(unexpected.map(([name]) => name)).toEqual([]);
});

test.each([
  ['a date', z.object({ at: z.date() })],
  ['a map in a list', z.array(z.map(z.string(), z.string()))],
  ['a bigint in a union', z.union([z.string(), z.bigint()])],
  ['an optional set', z.object({ tags: z.set(z.string()).optional() })],
  ['anything', z.object({ value: z.unknown() })],
  ['unknown keys', z.looseObject({})],
])('a schema with %s is not plain JSON', (_, schema) => {
  expect(isPlainJson(schema)).toBe(false);
});

test('serializes a plain output as superjson does', () => {
  const output = { data: [{ id: 1, name: 'A', tags: ['x'], none: null }], meta: { has_more: false } };
  const expected = superjson.serialize(output);
  markPlainJson(output);
  expect(transformer.output.serialize(output)).toEqual(expected);
});
