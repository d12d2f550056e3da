/**
 * Every annotation that superjson knows, over HTTP, in batches and over websockets: what is not allowed is refused as
 * `validation_failed`, and nothing that a client sends blocks the event loop.
 */
import { once } from 'node:events';
import { createUserWithToken, measureEventLoop, openSocket, suiteGateway } from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import { beforeAll, expect, test } from 'vitest';

const gateway = await suiteGateway();
const limited = await suiteGateway({ rateLimitPerMinute: 1 });
let token: string;
beforeAll(async () => {
  ({ token } = await createUserWithToken(gateway, { permissions: ['view_tickets'] }));
});

const HUGE = 130_000_000;
/** Annotations of one value, with the JSON that they annotate. */
const types: [name: string, annotation: unknown, json: unknown][] = [
  ['bytes', ['typed-array', 'Uint8Array'], HUGE],
  ['numbers', ['typed-array', 'Float64Array'], HUGE],
  ['set', 'set', [1, 2]],
  ['map', 'map', [['a', 1]]],
  ['bigint', 'bigint', '9'.repeat(300)],
  ['regexp', 'regexp', '/(a+)+$/'],
  ['Error', 'Error', { name: 'x', message: 'y', stack: 'z' }],
  ['URL', 'URL', 'https://a.test/'],
  ['number', 'number', 'Infinity'],
  ['class', ['class', 'Account'], {}],
  ['symbol', ['symbol', 'a'], 'a'],
  ['custom', ['custom', 'a'], {}],
  ['unknown', 'unknown', null],
];

/** References that double the value with each line: 2 kB that would become 2^60 values. */
const doubling = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`email.${i}`, [`email.${i + 1}.a`, `email.${i + 1}.b`]]),
);

/** Inputs that must be refused, each with `email` as its hostile part. */
const refused: [name: string, input: unknown][] = [
  ...types.flatMap(([name, type, json]): [string, unknown][] => [
    [name, { json: { email: json }, meta: { values: { email: [type] } } }],
    [`${name} of the whole`, { json, meta: { values: [type], v: 1 } }],
    [
      `${name} in a set`,
      { json: { email: [json] }, meta: { values: { email: ['set', { 0: [type] }] }, v: 1 } },
    ],
    [
      `${name} below a path`,
      { json: { email: { a: json } }, meta: { values: { email: { a: [type] } }, v: 1 } },
    ],
    [
      `${name} repeated`,
      {
        json: { email: Array.from({ length: 50 }, () => json) },
        meta: {
          values: Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`email.${i}`, [type]])),
          v: 1,
        },
      },
    ],
  ]),
  ['references', { json: { email: {} }, meta: { referentialEqualities: { email: ['email.a'] }, v: 1 } }],
  [
    'references that double',
    {
      json: { email: Array.from({ length: 61 }, () => ({ a: null, b: null })) },
      meta: { referentialEqualities: doubling, v: 1 },
    },
  ],
  ['a circle', { json: { email: {} }, meta: { referentialEqualities: [['email']], v: 1 } }],
  ['a prototype', { json: { email: {} }, meta: { values: { 'email.__proto__.x': ['Date'] }, v: 1 } }],
  ['a constructor', { json: { email: {} }, meta: { values: { 'email.constructor': ['undefined'] }, v: 1 } }],
  ['a missing path', { json: { email: {} }, meta: { values: { 'email.a.b': ['undefined'] }, v: 1 } }],
  ['a path of many parts', { json: {}, meta: { values: { ['.'.repeat(7_000)]: ['undefined'] }, v: 1 } }],
  ['another shape', { json: {}, meta: { values: 5 } }],
  ['no object', 5],
];

const errorsIn = (body: unknown): [number, string][] =>
  [body].flat().map((answer) => {
    const { httpStatus, code } = (answer as Failed).error.json.data;
    return [httpStatus, code];
  });

interface Failed {
  error: { json: { data: { httpStatus: number; code: string } } };
}

const REFUSED = [422, 'validation_failed'];

/** Sends each of {@link refused}. Without bounds, one of them would block the event loop for minutes. */
async function sendEach(check: (input: unknown, name: string) => Promise<void>): Promise<void> {
  for (const [name, input] of refused) {
    const measured = measureEventLoop(gateway.services.pool);
    await check(input, name);
    expect(measured().longestMs, name).toBeLessThan(1_000);
  }
}

/** Returns JSON for the URL of a request; null if it is longer than a request line may be. */
function inUrl(value: unknown): string | null {
  const encoded = encodeURIComponent(JSON.stringify(value));
  return encoded.length < 12_000 ? encoded : null;
}

test('are refused over HTTP, in a body and in a query', async () => {
  await sendEach(async (input, name) => {
    for (const target of ['POST /trpc/sessions.signIn', 'POST /trpc/mail.saveDraft']) {
      const { body } = await gateway.request(target, { token, body: JSON.stringify(input) });
      expect(errorsIn(body), name).toEqual([REFUSED]);
    }
    const query = inUrl(input);
    if (query === null) return;
    const { body } = await gateway.request(`GET /trpc/tickets.list?input=${query}`, { token });
    // A query that is no object has the status of queries.
    expect(errorsIn(body), name).toEqual([typeof input === 'object' ? REFUSED : [400, 'validation_failed']]);
  });
});

test('are refused in a batch, beside calls that are answered', async () => {
  await sendEach(async (input, name) => {
    const query = inUrl({ 0: input, 1: { json: {} } });
    if (query !== null) {
      const { body } = await gateway.request(`GET /trpc/tickets.list,ping?batch=1&input=${query}`, { token });
      expect(errorsIn(body[0]), name).toEqual([REFUSED]);
      expect(body[1].result.data.json, name).toMatchObject({ ok: true });
    }
    const inputs = JSON.stringify(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [i, input])));
    const names = Array.from({ length: 20 }, () => 'sessions.signIn').join();
    const { body } = await gateway.request(`POST /trpc/${names}?batch=1`, { body: inputs });
    const expected = inputs.length > 65_536 ? [413, 'payload_too_large'] : REFUSED;
    expect(errorsIn(body), name).toEqual(Array.from({ length: 20 }, () => expected));
  });
});

test('are refused over websocket, and end no subscription', async () => {
  const socket = await openSocket(gateway.url, { params: { token } });
  expect(await socket.call('subscription', 'tickets.live', {})).toMatchObject({ type: 'started' });
  const ended = socket.closed.then(() => Promise.reject(new Error('The socket was closed.')));
  ended.catch(() => {});
  let id = 100;
  await sendEach(async (input, name) => {
    const calls = [
      { method: 'query', path: 'tickets.list', input },
      { method: 'mutation', path: 'notifications.markRead', input },
      { method: 'subscription', path: 'tickets.stream', input },
      { method: 'subscription', path: 'tickets.live', input, lastEventId: '0-0-1' },
      { method: 'query', path: 'ping', input: { json: {} } },
    ].map(({ method, ...params }) => ({ id: ++id, method, params }));
    socket.ws.send(JSON.stringify(calls));
    const answers = () => calls.map((call) => socket.messages.find((message) => message.id === call.id));
    while (answers().includes(undefined)) await Promise.race([once(socket.ws, 'message'), ended]);
    const [query, mutation, subscription, resumed, ping] = answers();
    for (const answer of [query, subscription, resumed]) expect(errorsIn(answer), name).toEqual([REFUSED]);
    // A socket carries no idempotency keys, which are asked for first.
    expect(errorsIn(mutation), name).toEqual([[400, 'missing_idempotency_key']]);
    expect(ping.result.data.json, name).toMatchObject({ ok: true });
  });
  expect(socket.messages.filter((message) => message.id === 1)).toHaveLength(1);
  expect(socket.ws.readyState).toBe(socket.ws.OPEN);
  socket.ws.close();
});

test('undefined is accepted, as a whole input and in its parts', async () => {
  const whole = JSON.stringify(superjson.serialize(undefined));
  const ping = await gateway.request(`GET /trpc/ping?input=${encodeURIComponent(whole)}`, { token });
  expect(ping.status).toBe(200);
  const batch = encodeURIComponent(`{"0":${whole},"1":${whole}}`);
  const both = await gateway.request(`GET /trpc/ping,ping?batch=1&input=${batch}`, { token });
  expect(both.status).toBe(200);
  const parts = await gateway.rpc('tickets.list', {
    token,
    body: { limit: 1, q: undefined, status: undefined },
  });
  expect(parts.status).toBe(200);
});

test('calls beyond the limit of their token are refused before their body is read', async () => {
  const { token: second } = await createUserWithToken(limited);
  await limited.request('GET /v1/ping', { token: second });
  const body = JSON.stringify(refused[0]![1]);
  const answer = await limited.request('POST /trpc/mail.saveDraft', { token: second, body });
  expect(errorsIn(answer.body)).toEqual([[429, 'rate_limited']]);
});
