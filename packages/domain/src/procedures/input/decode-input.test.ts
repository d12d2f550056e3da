import fc from 'fast-check';
import superjson from 'superjson';
import { expect, test } from 'vitest';
import { ApiError } from '../../platform/process/errors.ts';
import { decodeInput } from './decode-input.ts';

const names = fc.oneof(
  fc.constantFrom('', '.', '\\', '\\.', 'a.b', 'a\\', '0', 'length', 'toString'),
  fc.string().filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name)),
);
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true),
    fc.string(),
    fc.integer(),
    fc.date({ noInvalidDate: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

test('decodes what superjson has encoded: undefined values and dates at any path', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(decodeInput(JSON.parse(superjson.stringify(value)))).toStrictEqual(value);
    }),
    { numRuns: 300 },
  );
});

test.each<[string, unknown, unknown]>([
  ['no input', undefined, undefined],
  ['an undefined input', { json: null, meta: { values: ['undefined'], v: 1 } }, undefined],
  [
    'annotations of before version 1',
    { json: { a: null }, meta: { values: { a: ['undefined'] } } },
    { a: undefined },
  ],
  ['metadata without annotations', { json: { a: 1 }, meta: { v: 1 } }, { a: 1 }],
  ['names of the prototype without annotations', { json: { constructor: 1 } }, { constructor: 1 }],
])('accepts %s', (_, received, decoded) => {
  expect(decodeInput(received)).toStrictEqual(decoded);
});

const at = (path: string, annotation: unknown, json: unknown = { a: null }) => ({
  json,
  meta: { values: { [path]: annotation }, v: 1 },
});
const noted = (meta: unknown) => ({ json: { a: null, b: {}, c: {} }, meta });

test.each<[string, unknown]>([
  ['a text', 'text'],
  ['null', null],
  ['a list', []],
  ...['bigint', 'Error', 'regexp', 'set', 'map', 'number', 'URL', 'toString', '__proto__', ''].map(
    (type): [string, unknown] => [`the type ${type}`, at('a', [type])],
  ),
  ...['typed-array', 'class', 'symbol', 'custom'].map((type): [string, unknown] => [
    `the type ${type}`,
    at('a', [[type, 'Uint8Array']], { a: 130_000_000 }),
  ]),
  ['a type in a list of types', at('a', [['undefined']])],
  ['a type with parts', at('a', ['undefined', { b: ['undefined'] }])],
  ['a type without a list', at('a', 'undefined')],
  ['an empty annotation', at('a', [])],
  ['nested paths', at('a', { b: ['undefined'] })],
  ['a path that does not exist', at('b', ['undefined'])],
  ['a path into a text', at('a.0', ['undefined'], { a: 'text' })],
  ['the length of a list', at('a.length', ['undefined'], { a: [null] })],
  ['a list by another spelling of its index', at('a.00', ['undefined'], { a: [null] })],
  ['an inherited path', at('toString', ['undefined'])],
  ['an escape that superjson does not write', at('a\\b', ['undefined'], { 'a\\b': null })],
  ['an escaped path of a name without dots', at('a\\.b', ['undefined'], { a: { b: null } })],
  ...['__proto__', 'constructor', 'prototype'].map((name): [string, unknown] => [
    `the path ${name}`,
    at(`a.${name}`, ['undefined'], JSON.parse(`{"a":{"${name}":null}}`)),
  ]),
  ['a value that is lost', at('a', ['undefined'], { a: 'text' })],
  ['a date that is none', at('a', ['Date'], { a: 'soon' })],
  ['a date that is no text', at('a', ['Date'], { a: 1 })],
  ['a long date', at('a', ['Date'], { a: `${' '.repeat(100)}2026-11-27` })],
  ['references', noted({ referentialEqualities: { b: ['c'] } })],
  ['references to the whole', noted({ referentialEqualities: [['b', 'c']] })],
  ['no references', noted({ referentialEqualities: {} })],
  ['another member', noted({ r: 1 })],
  ['another version', noted({ v: 2 })],
  ['a text as version', noted({ v: '1' })],
  ['metadata null', noted(null)],
  ['metadata of a text', noted('values')],
  ['metadata of a list', noted([])],
  ['annotations null', noted({ values: null })],
  ['annotations of a number', noted({ values: 5 })],
  [
    'very many paths',
    {
      json: { a: Array.from({ length: 1_001 }, () => null) },
      meta: {
        values: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`a.${i}`, ['undefined']])),
        v: 1,
      },
    },
  ],
])('refuses %s', (_, received) => {
  const refusal = () => decodeInput(structuredClone(received));
  expect(refusal).toThrow(ApiError);
  expect(refusal).toThrow(expect.objectContaining({ apiCode: 'validation_failed', status: 422 }));
});
