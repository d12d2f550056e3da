import { createToken, createUser, createWorkspace, type TestLog } from '@firmdesk/testing';
import { openSocket, openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { WebSocket } from 'ws';
import { readConfig } from '../../config.ts';

const CALLS_PER_MINUTE = 5;
const open: WebSocket[] = [];

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), {
    rateLimitPerMinute: CALLS_PER_MINUTE,
    limitsSignIns: true,
    socketsPerAddress: 1,
  });
  return () => gateway[Symbol.asyncDispose]();
});
afterEach(() => {
  for (const ws of open.splice(0)) ws.terminate();
  gateway.log.lines.splice(0);
});

test('attempts to guess passwords are limited whatever the limit of calls is, unless SIGN_IN_LIMITS is off', () => {
  expect(readConfig({ RATE_LIMIT_PER_MINUTE: '0' }, '/').limitsSignIns).toBe(true);
  expect(readConfig({ SIGN_IN_LIMITS: 'off' }, '/').limitsSignIns).toBe(false);
  expect(() => readConfig({ SIGN_IN_LIMITS: '0' }, '/')).toThrow('SIGN_IN_LIMITS must be on or off');
});

const linesWith = (log: TestLog, message: string) =>
  log.lines.filter((line) => line.message === message).map(({ fields }) => fields);
async function counted(metric: string): Promise<number> {
  const { text } = await gateway.request('GET /metrics');
  const line = text.split('\n').find((candidate) => candidate.startsWith(metric));
  return Number(line?.split(' ').at(-1) ?? 0);
}

async function createMember() {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm });
  return { ...(await createToken(gateway.services, { user, workspace: firm.slug })), user };
}

/** Sends an upgrade, and returns the status and headers with which it is refused. */
function refusal(path: string, headers: Record<string, string> = {}) {
  const ws = new WebSocket(`${gateway.url.replace('http', 'ws')}${path}`, { headers });
  open.push(ws);
  ws.on('error', () => {});
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve) => {
    ws.once('unexpected-response', (_, { statusCode, headers: answered }) => {
      expect(answered['x-request-id']).toMatch(/^req_\w{26}$/);
      expect(answered['request-id']).toBe(answered['x-request-id']);
      resolve({ status: statusCode!, retryAfter: answered['retry-after'] });
    });
  });
}

describe('a refused upgrade is logged and counted by its reason', () => {
  test.each([
    { reason: 'unknown_path', path: '/v1', headers: {}, status: 404, retryAfter: undefined },
    {
      reason: 'foreign_origin',
      path: '/trpc',
      headers: { origin: 'https://evil.example' },
      status: 403,
      retryAfter: undefined,
    },
  ])('$reason', async ({ reason, path, headers, status, retryAfter }) => {
    const metric = `websocket_refused_total{reason="${reason}"}`;
    const before = await counted(metric);
    expect(await refusal(path, headers as Record<string, string>)).toEqual({ status, retryAfter });
    expect(await counted(metric)).toBe(before + 1);
    expect(linesWith(gateway.log, 'websocket refused')).toEqual([
      { request_id: expect.any(String), reason, status, address: expect.any(String) },
    ]);
  });

  test('sockets_per_address, with Retry-After', async () => {
    const first = await openSocket(gateway.url, { query: '?connectionParams=1' });
    open.push(first.ws);
    expect(await refusal('/trpc')).toEqual({ status: 429, retryAfter: '5' });
    expect(linesWith(gateway.log, 'websocket refused')).toEqual([
      {
        request_id: expect.any(String),
        reason: 'sockets_per_address',
        status: 429,
        address: expect.any(String),
      },
    ]);
    expect(await counted('websocket_refused_total{reason="sockets_per_address"}')).toBeGreaterThan(0);
    first.ws.terminate();
    await first.closed;
  });

  test('a token that is not accepted', async () => {
    const socket = await openSocket(gateway.url, { params: { token: 'fd_live_unknown' } });
    expect((await socket.closed)[0]).toBe(4401);
    expect(linesWith(gateway.log, 'websocket refused')).toMatchObject([{ reason: 'invalid_token' }]);
  });
});

describe('a call that is rejected with 429 is logged and counted by its limit, and has Retry-After', () => {
  test('calls per token', async () => {
    const { text: token, id } = await createMember();
    const calls = Array.from({ length: CALLS_PER_MINUTE + 1 }, () =>
      gateway.request('GET /v1/ping', { token }),
    );
    const rejected = (await Promise.all(calls)).filter(({ status }) => status === 429);
    expect(rejected).toHaveLength(1);
    expect(Number(rejected[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(linesWith(gateway.log, 'limit exceeded')).toEqual([
      {
        request_id: rejected[0]!.body.meta.request_id,
        procedure: 'ping',
        code: 'rate_limited',
        limit: 'calls_per_token',
        token: id,
      },
    ]);
    expect(await counted('rate_limited_total{limit="calls_per_token"}')).toBe(1);
  });

  test('sign-ins', async () => {
    const { user } = await createMember();
    const attempt = () =>
      gateway.request('POST /v1/sessions', { body: { email: user.email, password: 'wrong password' } });
    let answer = await attempt();
    while (answer.status !== 429) answer = await attempt();
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(linesWith(gateway.log, 'limit exceeded')).toMatchObject([{ limit: 'sign_ins' }]);
    expect(await counted('rate_limited_total{limit="sign_ins"}')).toBe(1);
  });
});

test('calls over websocket are counted by procedure and code, unknown ones together', async () => {
  const { text: token } = await createMember();
  const socket = await openSocket(gateway.url, { params: { token } });
  open.push(socket.ws);
  await socket.call('query', 'ping');
  await socket.call('query', 'nowhere.else');
  await socket.call('query', 'tickets.get', { ticket: 'tkt_x' });
  const { text } = await gateway.request('GET /metrics');
  expect(text).toContain('websocket_calls_total{procedure="ping",code="ok"} 1');
  expect(text).toContain('websocket_calls_total{procedure="unknown",code="resource_not_found"} 1');
  expect(text).toMatch(/websocket_calls_total\{procedure="tickets\.get",code="\w+"\} 1/);
});
