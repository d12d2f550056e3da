import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AppRouter, appRouter } from '@firmdesk/domain';
import { accountProcedure, publicProcedure, router } from '@firmdesk/domain/testing';
import { type CreateTokenInput, createToken, createUser, createWorkspace } from '@firmdesk/testing';
import {
  EFFECTS,
  exchange,
  openSocket,
  openTestGateway,
  refusedUpgrade,
  type TestGateway,
  testRouter,
} from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { MAX_BATCH } from '../calls/trpc.ts';
import { clientAddress, NO_PROXIES } from '../client-address.ts';
import { MAX_CALLS_IN_PROGRESS, MAX_MALFORMED } from './socket-connection.ts';
import { MAX_FRAME_BYTES, serveWebsocket, type WebsocketOptions } from './websocket.ts';

const PASSWORD = 'correct horse battery';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  await gateway.services.pool.query(EFFECTS);
});
afterAll(() => gateway[Symbol.asyncDispose]());

async function createUserAndToken(over: Partial<CreateTokenInput> = {}) {
  const firm = await createWorkspace(gateway.services);
  const user = await createUser(gateway.services, { firm, password: PASSWORD });
  const token = await createToken(gateway.services, { user, workspace: firm.slug, ...over });
  return { user, ...token };
}
const open = (token: string) => openSocket(gateway.url, { params: { token } });
const revoke = (id: string) =>
  gateway.services.pool.query('update tokens set revoked_at = now() where id = $1', [id]);
const socketsOf = async (): Promise<number> => {
  const { text } = await gateway.request('GET /metrics');
  return Number(/^websocket_connections (\d+)/m.exec(text)![1]);
};

describe('an upgrade', () => {
  test('rejects another path', async () => {
    for (const path of ['/', '/trpc/', '/trpc/ping', '/v1/ping', '/TRPC']) {
      expect(await refusedUpgrade(`${gateway.url}${path}`), path).toBe(404);
    }
  });

  test('rejects a page of another origin', async () => {
    for (const origin of ['https://evil.example', 'null', `${gateway.url}.evil.example`]) {
      expect(await refusedUpgrade(`${gateway.url}/trpc`, { origin })).toBe(403);
    }
    const { text } = await createUserAndToken();
    const own = await openSocket(gateway.url, { params: { token: text }, headers: { origin: gateway.url } });
    expect(await own.call('query', 'fault', { how: 'throw' })).toMatchObject({ code: 'internal_error' });
    own.ws.close();
  });

  test('survives malformed upgrades of every kind', async () => {
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    for (const lines of [
      ['GET // HTTP/1.1', 'Host: x', ...upgrade, key],
      ['GET /trpc HTTP/1.1', 'Host: [', ...upgrade, key],
      ['GET /trpc HTTP/1.1', 'Host: a b', ...upgrade, key],
      ['GET /trpc HTTP/1.1', 'Host: x', ...upgrade],
      ['GET /trpc HTTP/1.1', 'Host: x', ...upgrade, 'Sec-WebSocket-Key: short'],
      ['POST /trpc HTTP/1.1', 'Host: x', ...upgrade, key],
      ['GET http://[/trpc HTTP/1.1', 'Host: x', ...upgrade, key],
    ]) {
      expect(await exchange(gateway.url, lines), lines.join()).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
    expect((await gateway.request('GET /healthz')).status).toBe(200);
  });
});

describe('authentication', () => {
  test('accepts connectionParams.token', async () => {
    const { text } = await createUserAndToken();
    const socket = await open(text);
    const answer = await socket.call('mutation', 'typed', { flag: true, count: 1 });
    expect(answer.data.json).toEqual({ flag: true, count: 1 });
    socket.ws.close();
  });

  test('accepts the console’s cookie of the named firm, from a page of our own origin', async () => {
    const { text } = await createUserAndToken();
    const headers = { cookie: `firmdesk_session_northgate=${text}`, origin: gateway.url };
    const socket = await openSocket(gateway.url, { headers, params: { workspace: 'northgate' } });
    expect(await socket.call('query', 'fault', { how: 'throw' })).toMatchObject({ code: 'internal_error' });
    socket.ws.close();
    const unnamed = await openSocket(gateway.url, { headers, params: {} });
    expect(await unnamed.closed).toEqual([4401, 'invalid_token']);
  });

  test('ignores a token in the URL', async () => {
    const { text } = await createUserAndToken();
    const socket = await openSocket(gateway.url, { query: `?token=${text}` });
    expect(await socket.closed).toEqual([4401, 'invalid_token']);
  });

  test('closes a socket without a valid token, with the error code as reason', async () => {
    const [revoked, expired] = [
      await createUserAndToken({ revokedAt: gateway.clock.now() }),
      await createUserAndToken({ expiresAt: gateway.clock.now() }),
    ];
    const closes = [
      [await openSocket(gateway.url), 'invalid_token'],
      [await open('x'), 'invalid_token'],
      [await openSocket(gateway.url, { params: {} }), 'invalid_token'],
      [await open(revoked.text), 'revoked_token'],
      [await open(expired.text), 'expired_token'],
    ] as const;
    for (const [socket, reason] of closes) expect(await socket.closed).toEqual([4401, reason]);
    const malformed = await openSocket(gateway.url, { params: { token: 5 } });
    await malformed.closed;
  });
});

describe('an open socket', () => {
  test('is closed when its token ends, and its next call is rejected', async () => {
    const { id, text } = await createUserAndToken();
    const socket = await open(text);
    await socket.call('mutation', 'typed', { flag: true, count: 1 });
    await revoke(id);
    const next = socket.call('mutation', 'typed', { flag: true, count: 1 });
    // The response and the close may arrive in either order.
    expect(await next.catch(({ message }: Error) => message)).toSatisfy(
      (answer: { code?: string } | string) =>
        answer === 'closed: 4401' || (typeof answer === 'object' && answer.code === 'revoked_token'),
    );
    expect(await socket.closed).toEqual([4401, 'the token has ended']);
  });

  test('is closed when the rights of its account change, so that the client reconnects with the new ones', async () => {
    const { user, text } = await createUserAndToken();
    const socket = await open(text);
    await socket.call('mutation', 'typed', { flag: true, count: 1 });
    await gateway.services.pool.query(`update memberships set role = 'trader' where user_id = $1`, [user.id]);
    expect((await socket.closed)[0]).toBe(1012);
    const back = await open(text);
    expect((await back.call('mutation', 'typed', { flag: true, count: 2 })).data.json.count).toBe(2);
    back.ws.close();
  });

  test('ends its streams', async () => {
    const { id, text } = await createUserAndToken();
    const socket = await open(text);
    expect(await socket.call('subscription', 'ticks', { size: 1, every: 5 })).toEqual({ type: 'started' });
    await expect.poll(() => socket.messages.length).toBeGreaterThan(3);
    await revoke(id);
    expect((await socket.closed)[0]).toBe(4401);
  });

  test('ends a subscription that is stopped, and accepts its id again', async () => {
    const { text } = await createUserAndToken();
    const socket = await open(text);
    const input = { json: { size: 1, every: 1 } };
    const subscribe = { id: 'a', jsonrpc: '2.0', method: 'subscription', params: { path: 'ticks', input } };
    for (let n = 0; n < 2; n++) {
      socket.messages.length = 0;
      socket.ws.send(JSON.stringify(subscribe));
      await expect.poll(() => socket.messages.length).toBeGreaterThan(2);
      socket.ws.send(JSON.stringify({ id: 'a', method: 'subscription.stop' }));
      const stopped = { id: 'a', jsonrpc: '2.0', result: { type: 'stopped' } };
      await expect.poll(() => socket.messages.at(-1)).toEqual(stopped);
      expect(socket.messages[0]).toEqual({ id: 'a', jsonrpc: '2.0', result: { type: 'started' } });
    }
    // Stopped before it has started.
    socket.messages.length = 0;
    socket.ws.send(JSON.stringify([subscribe, { id: 'a', method: 'subscription.stop' }]));
    await expect.poll(() => socket.messages.at(-1)?.result).toEqual({ type: 'stopped' });
    expect(socket.messages).toHaveLength(1);
    socket.ws.close();
  });

  test('rejects a second subscription with the id of an open one', async () => {
    const { text } = await createUserAndToken();
    const socket = await open(text);
    const subscribe = { id: 1, method: 'subscription', params: { path: 'ticks' } };
    const input = { json: { size: 1, every: 1_000 } };
    socket.ws.send(JSON.stringify({ ...subscribe, params: { ...subscribe.params, input } }));
    socket.ws.send(JSON.stringify(subscribe));
    await expect
      .poll(() => socket.messages.find(({ error }) => error)?.error.json.data.code)
      .toBe('validation_failed');
    socket.ws.close();
  });

  test('is closed by a frame above the size limit', async () => {
    const { text } = await createUserAndToken();
    const socket = await open(text);
    socket.ws.send('x'.repeat(MAX_FRAME_BYTES + 1));
    expect((await socket.closed)[0]).toBe(1009);
  });

  test('rejects each invalid frame', async () => {
    const { text } = await createUserAndToken();
    const socket = await open(text);
    await socket.call('mutation', 'typed', { flag: true, count: 1 });
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const frame of [
      '',
      '{',
      'null',
      '[]',
      '{}',
      '{"id":{}}',
      '{"id":70,"method":"nothing","params":{}}',
      deep,
    ]) {
      socket.ws.send(frame);
    }
    socket.ws.send(Buffer.from([1, 2, 3]));
    const batch = Array.from({ length: 21 }, (_, i) => ({
      id: 100 + i,
      method: 'query',
      params: { path: 'fault' },
    }));
    socket.ws.send(JSON.stringify(batch));
    for (const [type, path] of [
      ['query', 'nothing'],
      ['query', '__proto__'],
      ['mutation', 'fault'],
      ['subscription', 'typed'],
    ] as const) {
      expect(await socket.call(type, path), path).toMatchObject({ code: 'resource_not_found' });
    }
    expect(await socket.call('mutation', 'effect', { value: 'x' })).toMatchObject({
      code: 'missing_idempotency_key',
    });
    expect((await socket.call('mutation', 'typed', { flag: true, count: 3 })).data.json.count).toBe(3);
    expect(socket.messages.filter(({ id }) => id >= 100 && id < 121)).toHaveLength(21);
    // A malformed call is answered by its id.
    expect(socket.messages.find(({ id }) => id === 70).error.json.data.code).toBe('validation_failed');
    expect(JSON.stringify(socket.messages)).not.toContain('stack');
    socket.ws.close();
  });

  test('is disconnected if it does not read, and delays no other socket', async () => {
    const { text } = await createUserAndToken();
    const before = await socketsOf();
    const [stalled, reader] = [await open(text), await open(text)];
    await expect.poll(socketsOf).toBe(before + 2);
    await stalled.call('subscription', 'ticks', { size: 60_000, every: 0 });
    stalled.ws.pause();
    await expect.poll(socketsOf, { timeout: 20_000 }).toBe(before + 1);
    expect((await reader.call('mutation', 'typed', { flag: true, count: 1 })).data.json.count).toBe(1);
    reader.ws.close();
    stalled.ws.terminate();
  });
});

describe('limits', () => {
  async function serve(options: Partial<WebsocketOptions>, served = appRouter as AppRouter) {
    const server = createServer();
    const sockets = serveWebsocket(server, gateway.services, served, {
      addressOf: clientAddress(NO_PROXIES),
      socketsPerAddress: 100,
      ...options,
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      sockets,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async [Symbol.asyncDispose]() {
        await sockets.close();
        server.close();
      },
    };
  }

  test('closes a socket that does not authenticate in time, even if it sends other frames', async () => {
    await using served = await serve({ authDeadlineMs: 500 });
    const [silent, chatty] = await Promise.all([
      openSocket(served.url, { query: '?connectionParams=1' }),
      openSocket(served.url, { query: '?connectionParams=1' }),
    ]);
    chatty.ws.send('PONG');
    chatty.ws.send('PING');
    for (const socket of [silent, chatty]) {
      expect(await socket.closed).toEqual([4408, 'authentication timeout']);
    }
    const { text } = await createUserAndToken();
    const known = await openSocket(served.url, { params: { token: text } });
    await known.call('query', 'ping');
    const late = await openSocket(served.url, { query: '?connectionParams=1' });
    await late.closed;
    expect((await known.call('query', 'ping')).data.json.ok).toBe(true);
  });

  test('does not close a socket whose token has arrived and is still being checked', async () => {
    await using served = await serve({ authDeadlineMs: 200 });
    const { text } = await createUserAndToken();
    const locker = await gateway.services.pool.connect();
    try {
      await locker.query('begin; lock table tokens in access exclusive mode');
      const silent = await openSocket(served.url, { query: '?connectionParams=1' });
      const waiting = await openSocket(served.url, { params: { token: text } });
      // Its deadline is later than that of the waiting socket.
      const late = await openSocket(served.url, { query: '?connectionParams=1' });
      await Promise.all([silent.closed, late.closed]);
      expect(waiting.ws.readyState).toBe(waiting.ws.OPEN);
      await locker.query('rollback');
      expect((await waiting.call('query', 'ping')).data.json.ok).toBe(true);
    } finally {
      locker.release();
    }
  });

  test('pings a silent socket, and disconnects it if it does not answer', async () => {
    await using served = await serve({ keepAlive: { silentMs: 100, answerMs: 100, checkMs: 20 } });
    const { text } = await createUserAndToken();
    const open = () => openSocket(served.url, { params: { token: text } });
    const [silent, alive] = [await open(), await open()];
    alive.ws.on('message', (data) => {
      if (String(data) === 'PING') alive.ws.send('PONG');
    });
    expect((await silent.closed)[0]).toBe(1006);
    expect(silent.messages).toEqual(['PING']);
    await expect.poll(() => alive.messages.length).toBeGreaterThan(5);
    expect(served.sockets.count()).toBe(1);
    alive.ws.close();
  });

  test('does not read further from a client with many calls in progress, until some have ended', async () => {
    let waiting = 0;
    const released = Promise.withResolvers<void>();
    // Without an account, whose calls would wait for each other.
    const wait = publicProcedure({
      tag: 'Test',
      summary: 'Wait until the test ends',
      input: z.object({ text: z.string() }),
      output: z.object({ ok: z.boolean() }),
    }).query(async () => {
      waiting++;
      await released.promise;
      return { ok: true };
    });
    const look = accountProcedure({
      tag: 'Test',
      summary: 'Answer at once',
      scope: null,
      input: z.object({}),
      output: z.object({ ok: z.boolean() }),
    }).query(() => ({ ok: true }));
    await using served = await serve({}, router({ wait, look }) as unknown as AppRouter);
    const [greedy, other] = await Promise.all(
      [await createUserAndToken(), await createUserAndToken()].map(({ text }) =>
        openSocket(served.url, { params: { token: text } }),
      ),
    );
    const frames = 25;
    const input = { json: { text: 'x'.repeat(5_000) } };
    for (let frame = 0; frame < frames; frame++)
      greedy!.ws.send(
        JSON.stringify(
          Array.from({ length: MAX_BATCH }, (_, n) => ({
            id: frame * MAX_BATCH + n + 1,
            method: 'query',
            params: { path: 'wait', input },
          })),
        ),
      );
    await expect.poll(() => waiting).toBeGreaterThanOrEqual(MAX_CALLS_IN_PROGRESS);
    for (let n = 0; n < 50; n++) expect((await other!.call('query', 'look', {})).data.json.ok).toBe(true);
    // What had arrived with the last call that was read is read as well.
    expect(waiting).toBeLessThan(MAX_CALLS_IN_PROGRESS + 3 * MAX_BATCH);
    released.resolve();
    await expect.poll(() => greedy!.messages.length, { timeout: 10_000 }).toBe(frames * MAX_BATCH);
    expect(greedy!.messages.every((message) => message.result)).toBe(true);
  });

  test('closes a socket after many messages that are no calls', async () => {
    const { text } = await createUserAndToken();
    const socket = await openSocket(gateway.url, { params: { token: text } });
    for (let n = 0; n < 20 * MAX_MALFORMED; n++) socket.ws.send('{');
    expect(await socket.closed).toEqual([1008, 'too many malformed messages']);
    expect(socket.messages.length).toBe(MAX_MALFORMED);
  });

  test('limits the unauthenticated sockets of one address, and accepts another when one closes', async () => {
    await using served = await serve({ socketsPerAddress: 3, authDeadlineMs: 60_000 });
    const silent = () => openSocket(served.url, { query: '?connectionParams=1' });
    const [first, ...others] = await Promise.all([silent(), silent(), silent()]);
    expect(await refusedUpgrade(`${served.url}/trpc`)).toBe(429);
    first.ws.close();
    await first.closed;
    await expect.poll(() => served.sockets.count()).toBe(2);
    const one = await silent();
    for (const { ws } of [one, ...others]) ws.close();
  });

  test('does not count authenticated sockets by address', async () => {
    await using served = await serve({ socketsPerAddress: 2 });
    const { text } = await createUserAndToken();
    for (let n = 0; n < 5; n++) {
      const socket = await openSocket(served.url, { params: { token: text } });
      expect((await socket.call('query', 'ping')).data.json.ok).toBe(true);
    }
    expect(served.sockets.count()).toBe(5);
  });

  test('limits the sockets of one token, and accepts another when one closes', async () => {
    await using served = await serve({ socketsPerToken: 2 });
    const [{ text }, other] = [await createUserAndToken(), await createUserAndToken()];
    const authenticated = async (token: string) => {
      const socket = await openSocket(served.url, { params: { token } });
      await socket.call('query', 'ping');
      return socket;
    };
    const first = await authenticated(text);
    await authenticated(text);
    const third = await openSocket(served.url, { params: { token: text } });
    expect(await third.closed).toEqual([4429, 'rate_limited']);
    await authenticated(other.text);
    first.ws.close();
    await first.closed;
    await expect.poll(() => served.sockets.count()).toBe(2);
    await authenticated(text);
  });
});

describe('a drain', () => {
  test('asks sockets and callers to reconnect, then accepts no connection; calls in progress finish', async () => {
    const own = await openTestGateway(inject('postgresUrl'), {
      router: testRouter,
      acceptWhileDrainingMs: 2_000,
    });
    const firm = await createWorkspace(own.services);
    const user = await createUser(own.services, { firm });
    const { text: token } = await createToken(own.services, { user, workspace: firm.slug });
    const socket = await openSocket(own.url, { params: { token } });
    await socket.call('mutation', 'typed', { flag: true, count: 1 });
    await own.request('GET /healthz');
    const slow = own.rpc('slow', { token, body: { seconds: 3 } });
    await expect
      .poll(async () => {
        const { rows } = await own.services.pool.query(
          `select from pg_stat_activity where query like 'select pg_sleep%' and datname = current_database()`,
        );
        return rows.length;
      })
      .toBe(1);
    const drained = own.app.drain();
    expect((await socket.closed)[0]).toBe(1012);
    expect(socket.messages).toContainEqual({ id: null, method: 'reconnect' });
    const knock = () =>
      fetch(`${own.url}/readyz`).then(({ status, headers }) => [status, headers.get('connection')]);
    expect(await knock()).toEqual([503, 'close']);
    await expect.poll(() => knock().catch(() => 'refused')).toBe('refused');
    const { data, headers } = await slow;
    expect(data).toEqual({ ok: true });
    // This call began before the drain; its response has the header too.
    expect(headers.get('connection')).toBe('close');
    await drained;
    await own[Symbol.asyncDispose]();
  });
});
