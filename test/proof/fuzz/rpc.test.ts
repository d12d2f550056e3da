/**
 * Every response over `/trpc`, single or in a batch, matches its procedure's declaration: data of the output schema, or a
 * declared code, and never 5xx. Every accepted input had the declared types. Subscriptions use a websocket. Inputs are valid ones
 * with random changes, including superjson's type annotations (dates, sets, references to `__proto__`).
 * `FUZZ_RUNS` calls of each procedure, seeded by `FUZZ_SEED`.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { errorTable, type FieldError, scopes } from '@firmdesk/contract';
import { appRouter, declaredProcedures, type ProcedureMeta, type ProcedureSpec } from '@firmdesk/domain';
import { createToken } from '@firmdesk/testing';
import { openSocket, suiteGateway } from '@firmdesk/testing/gateway';
import fc from 'fast-check';
import superjson from 'superjson';
import { beforeAll, describe, test } from 'vitest';
import { exampleOf, type Input } from '../examples.ts';
import { createFixtures } from '../fixtures.ts';
import { inputSchemaOf, referencesOf } from '../references.ts';
import { unclearMessage } from '../unclear-message.ts';
import { schemaViolation } from './published-answers.ts';
import { curl, type RawRequest, send } from './send.ts';
import { assertProperty, TIMEOUT_MS } from './settings.ts';
import { anyValue, applyChanges, type Change, randomChanges } from './values.ts';

const gateway = await suiteGateway();
const home = await createFixtures(gateway, { hasPassword: true });
let token: string;
beforeAll(renewToken);

const all = declaredProcedures(appRouter).map((procedure) => ({
  ...procedure,
  schema: inputSchemaOf(procedure.meta),
}));
type Procedure = (typeof all)[number];
const procedures = all.filter(({ spec }) => spec.kind !== 'subscription');
const subscriptions = all.filter(({ spec }) => spec.kind === 'subscription');

/** superjson's type annotations: valid, wrong and hostile ones. */
const notes: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    { values: ['Date'] },
    { values: { id: ['bigint'] } },
    { values: { ids: ['set'], limit: ['undefined'] } },
    { values: { email: ['regexp'] } },
    { values: { '': ['Error'] } },
    { values: { __proto__: ['Date'] } },
    { values: [['custom', 'nothing']] },
    { values: ['undefined'], v: 1 },
    { values: { email: [['typed-array', 'Uint8Array']] } },
    { values: { ids: ['set', { 0: [['typed-array', 'Float64Array']] }] }, v: 1 },
    { values: { limit: ['number'], url: ['URL'], a: [['symbol', 'a']], b: [['class', 'b']] }, v: 1 },
    { referentialEqualities: [['a'], { a: ['b', 'c'], b: ['c', 'd'] }], v: 1 },
    { values: { 'ids.0': ['Date'], 'a.b.c': ['map'] } },
    { referentialEqualities: { ids: ['__proto__.polluted'] } },
    { referentialEqualities: { 'constructor.prototype': ['ticket'] } },
    { referentialEqualities: [['ids', 'id']] },
    { values: 5 },
    { v: 1 },
  ),
  anyValue,
);

/** One call of a batch. */
interface RandomPart {
  changes: Change[];
  notes: unknown;
}

const randomPartOf = ({ schema }: Procedure): fc.Arbitrary<RandomPart> =>
  fc.record({
    changes: randomChanges(schema),
    notes: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: notes }),
  });

describe.each(procedures)('$name', (procedure) => {
  const { name, spec } = procedure;

  test('every response matches the declaration', { timeout: TIMEOUT_MS }, async () => {
    await assertProperty(randomPartOf(procedure), async (chance) => {
      const input = encoded(procedure, chance);
      const wire = requestOf(spec, `/trpc/${name}`, input);
      const answer = await send(gateway.url, wire);
      const wrong = undeclared(procedure, input, JSON.parse(answer.text)) ?? serverError(answer.status);
      if (wrong)
        throw new Error(`${name} ${wrong}\n${answer.text.slice(0, 1_000)}\n${curl(gateway.url, wire)}`);
      if (answer.text.includes('revoked_token')) await renewToken();
    });
  });
});

describe.each(['query', 'mutation'] as const)('batches of each %s', (kind) => {
  const some = procedures.filter(({ spec }) => spec.kind === kind);
  const calls = fc.array(
    fc
      .constantFrom(...some)
      .chain((procedure) => randomPartOf(procedure).map((chance) => ({ procedure, chance }))),
    { minLength: 1, maxLength: 8 },
  );

  test('every call of a batch gets the response of a single call', { timeout: TIMEOUT_MS }, async () => {
    await assertProperty(calls, async (batch) => {
      const names = batch.map(({ procedure }) => procedure.name).join(',');
      const inputs = batch.map(({ procedure, chance }) => encoded(procedure, chance));
      const wire = requestOf(
        batch[0]!.procedure.spec,
        `/trpc/${names}?batch=1`,
        Object.fromEntries(inputs.entries()),
      );
      const answer = await send(gateway.url, wire);
      const answers = JSON.parse(answer.text) as unknown[];
      const wrong =
        serverError(answer.status) ??
        batch
          .map(({ procedure }, i) => undeclared(procedure, inputs[i]!, answers[i]))
          .find((each) => each !== null);
      if (wrong)
        throw new Error(`${names} ${wrong}\n${answer.text.slice(0, 1_000)}\n${curl(gateway.url, wire)}`);
      if (answer.text.includes('revoked_token')) await renewToken();
    });
  });
});

describe.each(subscriptions)('$name over websocket', (procedure) => {
  const { name, spec } = procedure;

  test('starts, or fails with a declared code', { timeout: TIMEOUT_MS }, async () => {
    await assertProperty(randomPartOf(procedure), async (chance) => {
      const input = encoded(procedure, chance);
      // The subscriptions of a socket are limited: each gets its own socket.
      const socket = await openSocket(gateway.url, { params: { token } });
      try {
        const frame = JSON.stringify({ id: 1, method: 'subscription', params: { path: name, input } });
        socket.ws.send(frame);
        const [answer] = await Promise.race([once(socket.ws, 'message'), socket.closed]);
        const { error, result } = JSON.parse(String(answer));
        const wrong = error ? undeclaredError(spec, error.json) : null;
        if (wrong || result?.type === 'data')
          throw new Error(`${name} ${wrong ?? `returned ${answer}`}\n${frame}`);
      } finally {
        socket.ws.terminate();
      }
    });
  });
});

interface Encoded {
  json: Input;
  meta?: unknown;
}

function encoded({ name, schema }: Procedure, { changes, notes }: RandomPart): Encoded {
  const references = referencesOf(name, schema);
  const wanted = references[changes.length % (references.length + 1)];
  const json = applyChanges(exampleOf(name, schema, home, wanted), changes);
  return { json, ...(notes !== undefined && { meta: notes }) };
}

function requestOf(spec: ProcedureSpec, path: string, input: unknown): RawRequest {
  const text = JSON.stringify(input);
  const isQuery = spec.kind === 'query';
  const query = isQuery
    ? `${path.includes('?') ? '&' : '?'}input=${encodeURIComponent(text.toWellFormed())}`
    : '';
  return {
    method: isQuery ? 'GET' : 'POST',
    // Node limits the headers of a request to 16 KiB.
    path: `${path}${query.length > 12_000 ? '' : query}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(!isQuery && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    },
    body: isQuery ? null : Buffer.from(text),
  };
}

/** Returns how a response deviates from the procedure's declaration, or null. */
function undeclared({ name, spec, meta, schema }: Procedure, input: Encoded, answer: unknown): string | null {
  const { error, result } = (answer ?? {}) as { error?: { json: unknown }; result?: { data: never } };
  if (error) return undeclaredError(spec, error.json);
  if (!result) return 'returned neither a result nor an error';
  const violation = outputViolation(meta, superjson.deserialize(result.data));
  if (violation) return `returned data that violates the output schema: ${violation}`;
  // With annotations the value is no longer JSON.
  const wrong = input.meta === undefined ? schemaViolation(`${name} input`, () => schema, input.json) : null;
  return wrong && `accepted an invalid input: ${wrong}`;
}

interface ErrorData {
  code: string;
  httpStatus: number;
  fields?: FieldError[];
}

/** The codes with which RPC rejects a malformed input of any procedure. */
const malformedInputCodes = ['validation_failed', 'payload_too_large', 'unsupported_media_type'];

function undeclaredError(spec: ProcedureSpec, error: unknown): string | null {
  const { message, data } = error as { message: string; data: ErrorData };
  const { code, httpStatus, fields } = data;
  const unclear = unclearMessage({ message, ...(fields && { fields }) });
  if (unclear) return `returned ${unclear}`;
  if (!(code in errorTable)) return `returned the undocumented code ${code}`;
  if (httpStatus >= 500) return `returned the status ${httpStatus}`;
  const isDeclared = (spec.errors as readonly string[]).includes(code) || malformedInputCodes.includes(code);
  return isDeclared ? null : `returned the undeclared code ${code}`;
}

function outputViolation({ output }: ProcedureMeta, data: unknown): string | null {
  const { error } = output.safeParse(data);
  return error ? error.message : null;
}

function serverError(status: number): string | null {
  return status >= 500 ? `returned status ${status}` : null;
}

/** Creates a token with all scopes. Random calls revoke it occasionally. */
async function renewToken(): Promise<void> {
  const created = await createToken(gateway.services, {
    user: home.owner,
    workspace: home.home.slug,
    scopes: [...scopes],
  });
  token = created.text;
}
