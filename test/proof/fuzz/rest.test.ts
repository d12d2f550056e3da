/**
 * Every response of `/v1` matches the OpenAPI document in status, headers, body and code, and is never 5xx. Every accepted
 * request had the documented types. Requests are valid ones with random changes of fields, query strings, headers and bytes of
 * the body. `FUZZ_RUNS` requests for each endpoint, seeded by `FUZZ_SEED`.
 */
import { randomUUID } from 'node:crypto';
import { appRouter, declaredProcedures, type ProcedureSpec } from '@firmdesk/domain';
import { type Json, operationOf, resolved, suiteGateway } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { exampleOf } from '../examples.ts';
import { createFixtures, ownToken } from '../fixtures.ts';
import { inputSchemaOf, referencesOf } from '../references.ts';
import { bodyForms, encodeBody } from './bodies.ts';
import { deviationFromDocument, schemaViolation } from './published-answers.ts';
import { curl, type RawRequest, type Received, send } from './send.ts';
import { assertProperty, TIMEOUT_MS } from './settings.ts';
import { applyChanges, type Change, randomChanges } from './values.ts';

const gateway = await suiteGateway();
const home = await createFixtures(gateway, { hasPassword: true });

/** The random part of a request. */
interface RandomPart {
  changes: Change[];
  form: (typeof bodyForms)[number];
  query: string;
  headers: Record<string, string | null>;
}

const LATIN = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c < 0x7f || c > 0x9f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 40,
});

/** Headers that replace the valid ones; null removes one. */
const headerChanges: fc.Arbitrary<Record<string, string | null>> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'authorization',
        'idempotency-key',
        'service-workspace',
        'content-type',
        'if-match',
        'content-encoding',
        'accept',
        'x-forwarded-for',
        'x-http-method-override',
      ),
      fc.oneof(
        fc.constantFrom(
          null,
          '',
          'x',
          'Bearer',
          'Bearer x',
          'gzip',
          'br',
          '*',
          'W/"x"',
          '"2026-11-21T09:30:00.000000Z"',
          'application/json;charset=utf-16',
          'text/plain',
          'platform',
          'no-such-firm',
        ),
        LATIN,
      ),
    ),
    { maxLength: 2 },
  )
  .map((pairs) => Object.fromEntries(pairs));

const queries = fc.oneof(
  { weight: 4, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '%',
      '%00',
      'limit=%ED%A0%80',
      'limit=1&limit=1',
      'limit[]=1',
      'limit[a]=1',
      '__proto__=1',
      'q=%00',
      '=&=&',
      'status=all;limit=1',
      'q=+%2B',
      'toString=1',
    ),
  },
  { weight: 1, arbitrary: fc.webQueryParameters() },
);

const endpoints = declaredProcedures(appRouter).filter(({ spec }) => spec.rest !== null);

describe.each(
  endpoints.map(({ spec, ...rest }) => ({
    ...rest,
    spec,
    target: `${spec.rest!.method} ${spec.rest!.path}`,
  })),
)('$target', ({ target, name, spec, meta }) => {
  const schema = inputSchemaOf(meta);
  const randomParts: fc.Arbitrary<RandomPart> = fc.record({
    changes: randomChanges(schema),
    form: fc.oneof(
      { weight: 3, arbitrary: fc.constant<'plain'>('plain') },
      { weight: 1, arbitrary: fc.constantFrom(...bodyForms) },
    ),
    query: queries,
    headers: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headerChanges }),
  });

  test('every response matches the document', { timeout: TIMEOUT_MS }, async () => {
    let token = await ownToken(gateway, spec, home);
    await assertProperty(randomParts, async (chance) => {
      const wire = requestOf(spec, token, inputOf(chance), chance);
      const answer = await send(gateway.url, wire);
      const wrong = deviationFromDocument(target, answer) ?? wronglyAccepted(target, spec, wire, answer);
      if (wrong)
        throw new Error(`${target} ${wrong}\n${answer.text.slice(0, 1_000)}\n${curl(gateway.url, wire)}`);
      if (answer.text.includes('revoked_token')) token = await ownToken(gateway, spec, home);
    });
  });

  /** Returns an input with the changes. The number of changes selects which optional reference it contains. */
  function inputOf({ changes }: RandomPart): Record<string, unknown> {
    const references = referencesOf(name, schema);
    const wanted = references[changes.length % (references.length + 1)];
    return applyChanges(exampleOf(name, schema, home, wanted), changes);
  }
});

function requestOf(
  spec: ProcedureSpec,
  token: string,
  input: Record<string, unknown>,
  chance: RandomPart,
): RawRequest {
  const { method, path } = spec.rest!;
  const rest = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, field) => {
    delete rest[field];
    return asSegment(input[field]);
  });
  const pairs = spec.input === 'query' ? queryOf(rest) : '';
  const query = [pairs, chance.query].filter(Boolean).join('&');
  const headers: Record<string, string | null> = {
    ...(spec.access.level !== 'public' && { authorization: `Bearer ${token}` }),
    ...(spec.idempotent && { 'idempotency-key': randomUUID() }),
    ...(spec.input === 'body' && { 'content-type': 'application/json' }),
    ...chance.headers,
  };
  return {
    method,
    path: query ? `${filled}?${query}` : filled,
    headers: Object.fromEntries(
      Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== null),
    ),
    body: spec.input === 'body' ? encodeBody(chance.form, rest) : null,
  };
}

/** Encodes a value for the path or query, cut to 2,000 characters. */
function asSegment(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return encodeURIComponent(text.toWellFormed()).slice(0, 2_000);
}

function queryOf(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .flatMap(([key, value]) => [value].flat().map((one) => `${asSegment(key)}=${asSegment(one)}`))
    .join('&')
    .slice(0, 6_000);
}

/** A UUID, bare or quoted. */
const KEY = /^\s*("?)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\1\s*$/i;

/** Returns how an accepted request violates the document, or null. */
function wronglyAccepted(
  target: string,
  spec: ProcedureSpec,
  { path, headers, body }: RawRequest,
  { status }: Received,
): string | null {
  if (status >= 300) return null;
  if (spec.idempotent && !KEY.test(headers['idempotency-key'] ?? ''))
    return 'accepted a request without a valid Idempotency-Key';
  const operation = operationOf(target);
  if (spec.input === 'body') {
    const sent = body?.length ? JSON.parse(body.toString().replace(/^\ufeff/, '')) : {};
    const wrong = schemaViolation(
      `${target} request`,
      () => operation.requestBody.content['application/json'].schema,
      sent,
    );
    return wrong && `accepted an invalid body: ${wrong}`;
  }
  const query = new URLSearchParams(path.split('?')[1] ?? '');
  for (const { name, in: place, schema } of (operation.parameters ?? []) as Json[]) {
    if (place !== 'query' || !query.has(name)) continue;
    const values = query.getAll(name);
    const form = resolved(schema);
    const typed = form.type === 'array' ? values : values.length > 1 ? values : typedAs(form, values[0]!);
    const wrong = schemaViolation(`${target} ${name}`, () => schema, typed);
    if (wrong) return `accepted an invalid \`${name}\`: ${wrong}`;
  }
  return null;
}

function typedAs({ type }: Json, text: string): unknown {
  if (type === 'integer') return /^\d+$/.test(text) ? Number(text) : text;
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}
