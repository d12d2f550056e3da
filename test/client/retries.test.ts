import {
  createRestClient,
  createRpcClient,
  type Hooks,
  isFirmdeskError,
  type SessionOptions,
} from '@firmdesk/client';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { openScriptedServer, type ScriptedServer } from './scripted-server.ts';

const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfter: 0 } as const;

let server: ScriptedServer;
beforeAll(async () => {
  server = await openScriptedServer();
});
afterEach(() => {
  server.received.length = 0;
  vi.unstubAllGlobals();
});
afterAll(() => server[Symbol.asyncDispose]());

function client(over: Partial<SessionOptions> = {}) {
  return createRestClient({ url: server.url, token: 'fd_live_scripted', ...over });
}

test('makes no more retries than the budget of the client allows, over all its calls', async () => {
  const rest = client({ retries: { budget: 3 } });
  server.script(...Array(5).fill(UNAVAILABLE));
  await expect(rest.GET('/v1/ping')).rejects.toThrow('unavailable');
  expect(server.received.length).toBe(4);
  await expect(rest.GET('/v1/ping')).rejects.toThrow('unavailable');
  expect(server.received.length).toBe(5);
});

test('returns a tenth of a retry to the budget for each successful call', async () => {
  const rest = client({ retries: { budget: 1 } });
  server.script(UNAVAILABLE);
  for (let call = 0; call < 11; call++) await rest.GET('/v1/ping');
  server.script(UNAVAILABLE);
  await rest.GET('/v1/ping');
  server.script(UNAVAILABLE);
  await expect(rest.GET('/v1/ping')).rejects.toThrow('unavailable');
});

test('makes as many attempts as the options say', async () => {
  server.script(...Array(3).fill(UNAVAILABLE));
  await expect(client({ retries: { maxAttempts: 1 } }).GET('/v1/ping')).rejects.toThrow('unavailable');
  await expect(client({ retries: { maxAttempts: 2 } }).GET('/v1/ping')).rejects.toThrow('unavailable');
  expect(server.received.length).toBe(3);
});

test('reports each attempt, response and retry to the hooks, without the token', async () => {
  const events: unknown[] = [];
  const hooks: Hooks = {
    onRequest: (event) => events.push(['request', event]),
    onResponse: (event) => events.push(['response', event]),
    onRetry: (event) => events.push(['retry', event]),
  };
  server.script(UNAVAILABLE);
  await client({ hooks }).GET('/v1/ping');
  const url = `${server.url}/v1/ping`;
  const response = { milliseconds: expect.any(Number), requestId: null, ignoredParameters: [] };
  const code = expect.objectContaining({ code: 'unavailable', status: 503 });
  expect(events).toEqual([
    ['request', { method: 'GET', url, attempt: 1 }],
    ['response', { method: 'GET', url, attempt: 1, status: 503, ...response }],
    ['retry', { method: 'GET', url, attempt: 1, error: code, delayMs: expect.any(Number) }],
    ['request', { method: 'GET', url, attempt: 2 }],
    ['response', { method: 'GET', url, attempt: 2, status: 200, ...response }],
  ]);
  expect(JSON.stringify(events)).not.toContain('fd_live_scripted');
});

test('ignores the errors of a hook', async () => {
  const onRequest = () => {
    throw new Error('the log is full');
  };
  const { data } = await client({ hooks: { onRequest } }).GET('/v1/ping');
  expect(data).toEqual({ ok: true });
});

test('works without AbortSignal.timeout and AbortSignal.any, which React Native lacks', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(undefined as never);
  vi.spyOn(AbortSignal, 'any').mockImplementation(undefined as never);
  server.script('silence', 'silence');
  const rest = client({ timeoutMs: 100, retries: { maxAttempts: 1 } });
  await expect(rest.GET('/v1/ping')).rejects.toMatchObject({ code: 'timeout' });
  const stop = new AbortController();
  const call = rest.GET('/v1/ping', { signal: stop.signal });
  stop.abort();
  await expect(call).rejects.toMatchObject({ code: 'aborted' });
  vi.restoreAllMocks();
});

test('says which option to pass where there is no WebSocket', async () => {
  vi.stubGlobal('WebSocket', undefined);
  const rpc = createRpcClient({ url: server.url, token: 'fd_live_scripted' });
  const thrown = await rpc.tickets
    .stream({ ticket: 'tkt_00000000000000000000000000' })
    .next()
    .catch((error: unknown) => error);
  expect(isFirmdeskError(thrown, 'unexpected')).toBe(true);
  expect((thrown as Error).message).toBe(
    'There is no global `WebSocket`. Pass the class of the package `ws` as the option `WebSocket`.',
  );
  await rpc.close();
});
