import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createToken, createUser, createWorkspace, type TestLog } from '@firmdesk/testing';
import {
  EFFECTS,
  exchange,
  LEAKED_SECRET,
  openTestGateway,
  testRouter as router,
  type TestGateway,
  type testRouter,
} from '@firmdesk/testing/gateway';
import { createTRPCClient, createWSClient, TRPCClientError, wsLink } from '@trpc/client';
import superjson from 'superjson';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router });
  await gateway.services.pool.query(EFFECTS);
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  token = (await createToken(gateway.services, { user, workspace: firm.slug })).text;
});
afterAll(() => gateway[Symbol.asyncDispose]());
afterEach(() => void gateway.log.lines.splice(0));

const MASKED = 'An internal error occurred. Report it with the request id.';
const secretPart = 'slipped-secret';

function faultOf(log: TestLog) {
  return log.lines.find(({ level }) => level === 'error')!;
}

describe('an internal error reveals nothing to the client and logs its cause', () => {
  test.each(['throw', 'database', 'answer'])('over REST: %s', async (how) => {
    const answer = await gateway.request(`GET /v1/test/fault?how=${how}`);
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      error: { code: 'internal_error', message: MASKED, doc_url: '/docs/guides/errors#internal_error' },
      meta: { request_id: answer.headers.get('x-request-id') },
    });
    const { fields, message } = faultOf(gateway.log);
    expect(message).toBe('call failed');
    expect(fields).toMatchObject({ request_id: answer.body.meta.request_id, procedure: 'fault' });
    expect(JSON.stringify(fields)).toContain(how === 'answer' ? 'Output validation failed' : LEAKED_SECRET);
  });

  test.each(['throw', 'database', 'answer'])('over RPC: %s', async (how) => {
    const answer = await gateway.rpc('fault', { body: { how } });
    expect([answer.status, answer.code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toContain(secretPart);
    expect(answer.text).not.toContain('stack');
    const { data, ...shape } = answer.body.error.json;
    expect(shape).toEqual({ message: MASKED, code: -32603 });
    expect(data).toEqual({
      code: 'internal_error',
      request_id: answer.headers.get('x-request-id'),
      httpStatus: 500,
    });
    expect(faultOf(gateway.log).fields['request_id']).toBe(data.request_id);
  });

  test('over websocket', async () => {
    const socket = createWSClient({
      url: `${gateway.url.replace('http', 'ws')}/trpc`,
      connectionParams: { token },
      retryDelayMs: () => 60_000,
    });
    const client = createTRPCClient<typeof testRouter>({
      links: [wsLink({ client: socket, transformer: superjson })],
    });
    const refused = await client.fault.query({ how: 'throw' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TRPCClientError);
    const { message, data } = refused as TRPCClientError<typeof testRouter>;
    expect(message).toBe(MASKED);
    expect(data).toMatchObject({
      code: 'internal_error',
      httpStatus: 500,
      request_id: expect.stringMatching(/^req_/),
    });
    expect(JSON.stringify(refused)).not.toMatch(new RegExp(`${secretPart}|stack`));
    await socket.close();
  });
});

describe('an unknown path', () => {
  test.each([
    'GET /v2/ping',
    'GET /v1',
    'GET /v1/',
    'GET /v1/nothing',
    'POST /v1/nothing',
    'GET /v1/ping%00',
    'GET /v1/%E0%A4%A',
    'GET /%E0%A4%A',
    'GET /docs/%E0%A4%A',
    'GET /docs/assets/../../package.json',
    'GET /trpc',
    'DELETE /nothing',
  ])('%s', async (target) => {
    const answer = await gateway.request(target);
    expect([answer.status, answer.body?.error.code]).toEqual([404, 'resource_not_found']);
    expect(answer.body.meta.request_id).toBe(answer.headers.get('x-request-id'));
    expect(answer.headers.has('x-powered-by')).toBe(false);
    expect(gateway.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test.each(['nothing', '%E0%A4%A', 'effect,nothing?batch=1', 'toString', '__proto__', 'effect.then'])(
    '/trpc/%s',
    async (name) => {
      const answer = await gateway.request(`POST /trpc/${name}`, { body: {} });
      expect([404, 207], answer.text).toContain(answer.status);
      expect(answer.text).toContain('resource_not_found');
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
      expect(gateway.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    },
  );

  test('rejects methods that /trpc does not accept', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await gateway.request(`${method} /trpc/effect`);
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    }
    expect((await gateway.request('OPTIONS /trpc/effect')).status).toBe(204);
    const queried = await gateway.request('GET /trpc/effect', { token });
    expect([queried.status, queried.headers.get('allow')]).toEqual([405, 'POST']);
    const posted = await gateway.request('POST /trpc/fault', { token, body: {} });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await gateway.request('GET /trpc/ticks', { token })).status).toBe(404);
  });
});

describe('an RPC request that is refused before any of its calls has a request id', () => {
  const batch = Array.from({ length: 21 }, () => 'fault').join();
  const refusals: [name: string, path: string, header: string, message: RegExp][] = [
    ['a batch that is too long', `/trpc/${batch}?batch=1`, 'Accept: */*', /at most 20 calls/],
    ['a single call that asks for a stream', '/trpc/fault', 'trpc-accept: application/jsonl', /jsonl/],
    ['one that asks with Accept', '/trpc/fault', 'Accept: text/html, application/jsonl', /jsonl/],
    ['a malformed host', '/trpc/fault', 'Host: [', /Host/],
  ];
  test.each(refusals)('%s', async (_, path, header, message) => {
    for (const method of ['GET', 'POST']) {
      const host = header.startsWith('Host') ? [] : ['Host: x'];
      const lines = [`${method} ${path} HTTP/1.1`, ...host, header, 'Content-Length: 0', 'Connection: close'];
      const [head, body] = (await exchange(gateway.url, lines)).split('\r\n\r\n') as [string, string];
      expect(head).toMatch(/^HTTP\/1\.1 422 /);
      expect(head).toMatch(/^Content-Type: application\/json/im);
      expect(head).toMatch(/^Cache-Control: no-store/im);
      const { error } = JSON.parse(body);
      expect(error.json.message).toMatch(message);
      const id = /^X-Request-Id: (.*)$/im.exec(head)![1];
      expect(error.json.data).toEqual({ code: 'validation_failed', httpStatus: 422, request_id: id });
    }
  });

  test('and one with a parameter that tRPC could not read is called', async () => {
    const input = encodeURIComponent('{"json":{}}');
    const answer = await gateway.request(`GET /trpc/fault?input=${input}&connectionParams=%7B`);
    expect([answer.status, answer.body.error.json.data.request_id]).toEqual([
      500,
      answer.headers.get('x-request-id'),
    ]);
  });
});

test('a streamed batch is sent before its calls are done, so only their answers tell of their errors', async () => {
  const answer = await fetch(`${gateway.url}/trpc/typed?batch=1`, {
    method: 'POST',
    headers: { 'trpc-accept': 'application/jsonl' },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.has('www-authenticate')).toBe(false);
  const id = answer.headers.get('x-request-id');
  expect(await answer.text()).toContain(
    `"data":{"code":"invalid_token","httpStatus":401,"request_id":"${id}"}`,
  );
});

describe('validates types in the same way over REST and RPC', () => {
  const wrong = [
    { flag: 'false', count: 5 },
    { flag: null, count: 5 },
    { flag: 0, count: 5 },
    { flag: true, count: '5' },
    { flag: true, count: null },
    { flag: true, count: [5] },
    { flag: true, count: true },
    { flag: true, count: 5, nested: { flags: ['no'] } },
  ];
  test.each(wrong)('%j', async (body) => {
    for (let round = 0; round < 2; round++) {
      const rest = await gateway.request('PUT /v1/test/typed', { token, body });
      const rpc = await gateway.rpc('typed', { token, body });
      expect([rest.status, rest.body.error.code]).toEqual([422, 'validation_failed']);
      expect([rpc.status, rpc.code]).toEqual([422, 'validation_failed']);
      expect(rpc.fields).toEqual(rest.body.error.fields);
    }
    const right = await gateway.request('PUT /v1/test/typed', { token, body: { flag: false, count: 5 } });
    expect(right.body.data).toEqual({ flag: false, count: 5 });
  });
});

describe('a text that PostgreSQL cannot store', () => {
  test.each(['\0', 'a\0b', '\ud800', '\udc00x'])('rejects the text %j and names its field', async (text) => {
    const body = JSON.stringify({ flag: true, count: 1, text });
    const answer = await gateway.request('PUT /v1/test/typed', { token, body });
    expect(answer.status).toBe(422);
    expect(answer.body.error.fields).toMatchObject([{ path: 'text' }]);
    const effect = await gateway.request('POST /v1/test/effects', { token, body: { value: text } });
    expect(effect.body.error.fields).toMatchObject([{ path: 'value' }]);
  });

  test('accepts an emoji', async () => {
    const answer = await gateway.request('POST /v1/test/effects', { token, body: { value: '👩‍🚀' } });
    expect(answer.body.data.value).toBe('👩‍🚀');
  });
});

describe('an unusual request', () => {
  const get = (extra: string[], path = '/v1/ping') => [`GET ${path} HTTP/1.1`, 'Host: x', ...extra];

  test('handles a repeated header', async () => {
    const bearer = `Authorization: Bearer ${token}`;
    const doubled = await exchange(gateway.url, [
      ...get([bearer, 'Service-Workspace: a', 'Service-Workspace: a'], '/v1/test/fault'),
    ]);
    expect(doubled).toContain('500');
    const keys = ['11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111111'];
    const post = await exchange(gateway.url, [
      'POST /v1/test/effects HTTP/1.1',
      'Host: x',
      bearer,
      ...keys.map((key) => `Idempotency-Key: ${key}`),
      'Content-Length: 0',
    ]);
    expect(post).toContain('missing_idempotency_key');
  });

  test('rejects a malformed request with an error code and a request id', async () => {
    const parsed = async (lines: string[]) => {
      const [head = '', body = ''] = (await exchange(gateway.url, lines)).split('\r\n\r\n');
      expect(JSON.parse(body).meta.request_id).toBe(/^Request-Id: (req_\w{26})$/m.exec(head)?.[1]);
      return [head.split(' ')[1], JSON.parse(body).error.code, /^Allow: (.*)$/m.test(head)];
    };
    expect(await parsed(['FOO /v1/ping HTTP/1.1', 'Host: x'])).toEqual(['405', 'method_not_allowed', true]);
    expect(await parsed(get([`X-Long: ${'a'.repeat(20_000)}`]))).toEqual(['431', 'payload_too_large', false]);
    expect(await parsed(['GET /v1/ping HTTP/9.9', 'Host: x'])).toEqual(['400', 'validation_failed', false]);
  });

  test('refuses one that names its host twice, over every transport', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`;
    for (const lines of [
      get(['host: y']),
      get(['Host: x'], '/trpc/ping'),
      get(['HOST: y'], '/docs/'),
      get(['Host: x', ...upgrade, key], '/trpc'),
    ]) {
      const answer = await exchange(gateway.url, lines);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/^X-Request-Id: req_\w{26}\r$/m);
    }
  });

  test('has a request id in its answer, also if it never arrives whole', async () => {
    const { server } = gateway.app;
    const { hostname, port } = new URL(gateway.url);
    const accepted = once(server, 'connection');
    const client = connect({ port: Number(port), host: hostname });
    const answer = text(client);
    client.write('GET /v1/ping HTTP/1.1\r\n');
    const [socket] = (await accepted) as [Socket];
    // As Node does when the time for a request has passed.
    const error = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', error, socket);
    const head = await answer;
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    expect(head).toMatch(/^X-Request-Id: req_\w{26}\r$/m);
  });

  test('closes the connection of a malformed request, even if the client keeps it open', async () => {
    const { hostname, port } = new URL(gateway.url);
    const accepted: Socket[] = [];
    gateway.app.server.on('connection', (socket: Socket) => accepted.push(socket));
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.resume();
    socket.write('FOO /v1/ping HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(socket, 'end');
    const other = accepted.find(({ remotePort }) => remotePort === socket.localPort)!;
    await expect.poll(() => other.destroyed).toBe(true);
    socket.destroy();
  });

  test('handles an invalid Host header, over /trpc too', async () => {
    for (const path of ['/v1/nothing', '/trpc/fault']) {
      const answer = await exchange(gateway.url, [`GET ${path} HTTP/1.1`, 'Host: [']);
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  test('responds in HTTP/1.1 to a client that offers HTTP/2', async () => {
    const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'];
    const answer = await exchange(gateway.url, get(offer, '/v1/test/nothing'));
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('resource_not_found');
  });

  test('accepts a chunked, a compressed and an empty body', async () => {
    const body = JSON.stringify({ flag: true, count: 7 });
    const chunked = await fetch(`${gateway.url}/v1/test/typed`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: new Blob([body]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(await chunked.json()).toMatchObject({ data: { flag: true, count: 7 } });
    const zipped = await fetch(`${gateway.url}/v1/test/typed`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: await new Response(new Blob([body]).stream().pipeThrough(new CompressionStream('gzip'))).blob(),
    });
    expect(await zipped.json()).toMatchObject({ data: { flag: true, count: 7 } });
    const bomb = await fetch(`${gateway.url}/v1/test/typed`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: await new Response(
        new Blob([JSON.stringify({ text: 'x'.repeat(1e6) })])
          .stream()
          .pipeThrough(new CompressionStream('gzip')),
      ).blob(),
    });
    expect(bomb.status).toBe(413);
    for (const headers of [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }]) {
      const empty = await gateway.request('PUT /v1/test/typed', { token, headers, body: '' });
      expect(empty.body.error.fields.map(({ path }: { path: string }) => path)).toEqual(['flag', 'count']);
    }
  });
});
