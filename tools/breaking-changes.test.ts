import { describe, expect, test } from 'vitest';
import { breakingChanges, forbiddenChanges } from './breaking-changes.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON documents, changed by hand
type Json = any;

/** Returns a small document and a copy that `change` modified. */
function changesOf(change: (operation: Json, document: Json) => void): string[] {
  const document = () => ({
    paths: {
      '/v1/things': {
        post: {
          operationId: 'things_post',
          security: [],
          parameters: [
            { in: 'query', name: 'sort', required: false, schema: { type: 'string', enum: ['a', 'b'] } },
            { $ref: '#/components/parameters/Key' },
          ],
          requestBody: {
            required: false,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['name'],
                  properties: {
                    name: { type: 'string', maxLength: 10, minLength: 2 },
                    count: { type: 'integer' },
                    draft_id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
                    tags: { type: 'array', items: { type: 'string' } },
                    note: { type: ['string', 'null'] },
                    limit: { type: 'integer', default: 20 },
                    ref: { type: 'string', 'x-also': 'integer' },
                    email: { type: 'string', format: 'email' },
                  },
                },
              },
            },
          },
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    required: ['id', 'state'],
                    properties: {
                      id: { type: 'integer' },
                      state: { type: 'string', 'x-extensible-enum': ['open', 'ended'] },
                      at: { type: 'string', format: 'date-time' },
                      owner: { $ref: '#/components/schemas/Owner' },
                      seen_at: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                      rows: {
                        type: 'array',
                        items: { type: 'object', properties: { a: { type: 'string' } } },
                      },
                    },
                  },
                },
              },
            },
            400: { 'x-error-codes': ['too_many', 'too_few'] },
          },
        },
      },
    },
    components: {
      parameters: { Key: { in: 'header', name: 'Key', required: true, schema: { type: 'string' } } },
      schemas: { Owner: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
    },
  });
  const after: Json = document();
  change(after.paths['/v1/things'].post, after);
  return breakingChanges(document(), after);
}

const bodyOf = (operation: Json) => operation.requestBody.content['application/json'].schema;
const responseOf = (operation: Json) => operation.responses[200].content['application/json'].schema;

describe('a breaking change', () => {
  test.each<[string, (operation: Json, document: Json) => void, string]>([
    ['a path', (_, d) => delete d.paths['/v1/things'], 'was removed'],
    ['a method', (_, d) => delete d.paths['/v1/things'].post, 'was removed'],
    ['no token needed', (o) => delete o.security, 'now requires a token'],
    ['no scope needed', (o) => (o['x-required-scope'] = 'mail:write'), 'now requires mail:write'],
    ['fewer permissions', (o) => (o['x-required-permissions'] = ['view']), 'now requires view'],
    ['the operation id', (o) => (o.operationId = 'post_thing'), 'is now called post_thing'],
    ['an error code', (o) => o.responses[400]['x-error-codes'].pop(), '400 too_few was removed'],
    [
      'the name of a schema',
      (o, d) => {
        d.components.schemas.Person = d.components.schemas.Owner;
        delete d.components.schemas.Owner;
        responseOf(o).properties.owner.$ref = '#/components/schemas/Person';
      },
      'the schema Owner was removed',
    ],
    [
      'a field of a referenced schema',
      (_, d) => (d.components.schemas.Owner.properties = {}),
      '200.owner.name was removed',
    ],
    [
      'the default of a field',
      (o) => (bodyOf(o).properties.limit.default = 10),
      'body.limit has another default',
    ],
    ['another accepted type', (o) => delete bodyOf(o).properties.ref['x-also'], 'no longer accepts integer'],
    [
      'the format of a received value',
      (o) => delete responseOf(o).properties.at.format,
      '200.at has another format',
    ],
    [
      'a value of a received enumeration',
      (o) => responseOf(o).properties.state['x-extensible-enum'].pop(),
      '200.state is no longer ended',
    ],
    ['a parameter', (o) => o.parameters.shift(), 'the parameter query sort was removed'],
    ['an optional parameter', (o) => (o.parameters[0].required = true), 'query sort is now required'],
    ['the value of a parameter', (o) => o.parameters[0].schema.enum.pop(), 'query sort no longer accepts b'],
    [
      'a call without the new parameter',
      (o) => o.parameters.push({ in: 'query', name: 'x', required: true, schema: {} }),
      'query x is new and required',
    ],
    ['the body', (o) => delete o.requestBody, 'no longer accepts a body'],
    ['an optional body', (o) => (o.requestBody.required = true), 'now requires a body'],
    ['a field of the body', (o) => delete bodyOf(o).properties.count, 'body.count was removed'],
    ['an optional field of the body', (o) => bodyOf(o).required.push('count'), 'body.count is now required'],
    ['a longer text', (o) => (bodyOf(o).properties.name.maxLength = 9), 'tighter maxLength'],
    ['a shorter text', (o) => (bodyOf(o).properties.name.minLength = 3), 'tighter minLength'],
    ['a text of any length', (o) => (bodyOf(o).properties.note.maxLength = 5), 'body.note no longer accepts'],
    ['a text of any form', (o) => (bodyOf(o).properties.name.pattern = '^a'), 'tighter pattern'],
    ['another format', (o) => (bodyOf(o).properties.email.format = 'hostname'), 'tighter format'],
    [
      'the type of a sent value',
      (o) => (bodyOf(o).properties.count.type = 'string'),
      'was integer and is string',
    ],
    ['one of the types', (o) => bodyOf(o).properties.draft_id.anyOf.pop(), 'no longer accepts string'],
    ['null', (o) => (bodyOf(o).properties.note.type = 'string'), 'no longer accepts null'],
    ['an item', (o) => (bodyOf(o).properties.tags.items.type = 'integer'), 'body.tags[]'],
    ['a status', (o) => delete o.responses[200], 'the status 200 was removed'],
    ['a field of the response', (o) => delete responseOf(o).properties.id, '200.id was removed'],
    ['a required field of the response', (o) => responseOf(o).required.pop(), '200.state can now be absent'],
    [
      'the type of a received value',
      (o) => (responseOf(o).properties.id.type = 'string'),
      '200.id was integer and is string',
    ],
    [
      'a value that is never null',
      (o) => (responseOf(o).properties.id.type = ['integer', 'null']),
      'can now be null',
    ],
    [
      'a closed set of values',
      (o) => delete responseOf(o).properties.state['x-extensible-enum'],
      'can now be any text',
    ],
    [
      'a field of a row',
      (o) => delete responseOf(o).properties.rows.items.properties.a,
      '200.rows[].a was removed',
    ],
  ])('%s', (_, change, expected) => {
    expect(changesOf(change)).toEqual([expect.stringContaining(expected)]);
  });
});

describe('an addition', () => {
  test.each<[string, (operation: Json, document: Json) => void]>([
    ['nothing', () => {}],
    ['a path', (_, d) => (d.paths['/v1/others'] = { get: {} })],
    ['a method', (_, d) => (d.paths['/v1/things'].get = {})],
    [
      'an optional parameter',
      (o) => o.parameters.push({ in: 'query', name: 'x', required: false, schema: {} }),
    ],
    ['an accepted value of a parameter', (o) => o.parameters[0].schema.enum.push('c')],
    ['an optional field of the body', (o) => (bodyOf(o).properties.more = { type: 'string' })],
    ['addresses of any script', (o) => (bodyOf(o).properties.email.format = 'idn-email')],
    ['a longer text', (o) => (bodyOf(o).properties.name.maxLength = 11)],
    ['an accepted type', (o) => (bodyOf(o).properties.count.type = ['integer', 'string'])],
    ['a number where it was an integer', (o) => (bodyOf(o).properties.count.type = 'number')],
    ['a body field that becomes optional', (o) => (bodyOf(o).required = [])],
    ['a field of the response', (o) => (responseOf(o).properties.more = { type: 'string' })],
    ['a response field that becomes required', (o) => responseOf(o).required.push('seen_at')],
    ['a value that is no longer null', (o) => (responseOf(o).properties.seen_at = { type: 'string' })],
    ['a value of a state', (o) => responseOf(o).properties.state['x-extensible-enum'].push('closed')],
    ['a status', (o) => (o.responses[201] = {})],
    ['an error status', (o) => (o.responses[409] = {})],
    ['an error code', (o) => o.responses[400]['x-error-codes'].push('too_late')],
  ])('%s', (_, change) => {
    expect(changesOf(change)).toEqual([]);
  });
});

test('allows breaking changes in a new major version only', () => {
  const before = { info: { version: '1.4.0' }, paths: { '/v1/things': { get: {} } } };
  const after = (version: string) => ({ info: { version }, paths: {} });
  expect(forbiddenChanges(before, after('1.5.0'))).toEqual(['GET /v1/things was removed']);
  expect(forbiddenChanges(before, after('2.0.0'))).toEqual([]);
});
