/**
 * Messages for invalid input, of every procedure: each names its field in quotes and says what the field must be. No default
 * text of zod reaches a client. The fuzzers assert the same of every error that they meet.
 */
import { fieldError, invalidFields } from '@firmdesk/contract';
import { appRouter, declaredProcedures } from '@firmdesk/domain';
import { type Json, suiteGateway } from '@firmdesk/testing/gateway';
import { describe, expect, test } from 'vitest';
import { exampleOf, type Input } from './examples.ts';
import { createFixtures, ownToken } from './fixtures.ts';
import { applyChanges, fieldsIn } from './fuzz/values.ts';
import { inputSchemaOf } from './references.ts';
import { callsByTransport } from './transports.ts';
import { unclearMessage } from './unclear-message.ts';

const INVALID: unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 40,
  '',
  ' ',
  'no such value',
  'two\nlines',
  'x'.repeat(100_000),
  [],
  [5],
  Array(1_000).fill('x'),
  {},
];

/** The form of every message: the field, and what it must be or have. */
const EXPECTATION = /^(?:"[^"]+"|The body) (?:is required|must (?:not )?(?:be|have|begin|match) .+)\.$/s;

const gateway = await suiteGateway();
const fixtures = await createFixtures(gateway);

const procedures = declaredProcedures(appRouter).map((procedure) => ({
  ...procedure,
  schema: inputSchemaOf(procedure.meta),
}));

test.each(procedures)('$name: states for every invalid field what it must be', ({ name, meta, schema }) => {
  const example = exampleOf(name, schema, fixtures);
  for (const { path } of fieldsIn(schema)) {
    for (const value of INVALID) {
      const input = applyChanges(example, [{ path, value }]);
      for (const field of invalidFields(meta.input, input)) {
        const error = fieldError(field);
        expect(error.message).toMatch(EXPECTATION);
        expect(unclearMessage({ message: error.message, fields: [error] })).toBeNull();
        expect(error.message.length).toBeLessThan(500);
      }
    }
  }
});

describe.each(procedures.filter(({ schema }) => fieldsIn(schema).length > 0))(
  '$name',
  ({ name, spec, meta, schema }) => {
    test('rejects invalid input with such messages over each transport', async () => {
      const example = exampleOf(name, schema, fixtures);
      const invalid = fieldsIn(schema)
        .map(({ path }) => applyChanges(example, [{ path, value: { no: 'value' } }]))
        .filter((input) => invalidFields(meta.input, input).length > 0);
      const token = await ownToken(gateway, spec, fixtures);
      let refused = 0;
      for (const input of invalid.slice(0, 5)) {
        for (const call of callsByTransport(gateway, name, spec)) {
          const { ok, text } = await call({ token }, input as Input);
          // In a query the object is text, which some fields accept.
          if (ok) continue;
          refused++;
          const error = errorIn(JSON.parse(text));
          expect(unclearMessage(error), text).toBeNull();
          if (error.code !== 'resource_not_found') expect(error.fields?.length, text).toBeGreaterThan(0);
        }
      }
      expect(refused).toBeGreaterThan(0);
    });
  },
);

/** Returns the error of a response: REST's envelope, tRPC's error, or the data of tRPC's error over a socket. */
function errorIn(answer: Json): Parameters<typeof unclearMessage>[0] & { code: string } {
  const rpc = answer.error?.json;
  if (rpc) return { ...rpc.data, message: rpc.message };
  const error = answer.error ?? answer;
  return { ...error, message: error.message ?? error.fields[0].message };
}
