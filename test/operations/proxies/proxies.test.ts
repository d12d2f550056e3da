import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { closeServices, createServices, type Services } from '@firmdesk/domain';
import {
  cloneDatabase,
  createToken,
  createUser,
  createWorkspace,
  startFakeOpenAiServer,
} from '@firmdesk/testing';
import { openSocket } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { Node } from '../../faults/node.ts';
import { isInstalled } from '../is-installed.ts';
import { followReplies } from './follow-replies.ts';
import { proxyKinds, startProxy } from './proxy.ts';

const TIMEOUT_MS = 240_000;
/** By each kind of connections. */
const CALLERS = 10;
const PAUSE_MS = 15;
/** The words of each reply, which the model streams in about a second. */
const WORDS = Array.from({ length: 40 }, (_, n) => ` word${n}`);
const WORD_MS = 25;

let gateways: [Node, Node];
let services: Services;
let token: string;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await cloneDatabase(inject('postgresUrl'));
  cleanUps.push(async () => database[Symbol.asyncDispose]());
  services = await createServices({ databaseUrl: database.url });
  cleanUps.push(() => closeServices(services));
  const firm = await createWorkspace(services);
  const user = await createUser(services, { firm, permissions: ['view_tickets'] });
  token = (await createToken(services, { user, workspace: firm.slug })).text;
  const model = await startFakeOpenAiServer();
  cleanUps.push(async () => model[Symbol.asyncDispose]());
  model.behave({ kind: 'reply', words: WORDS, pauseMs: WORD_MS });
  const env = {
    DATABASE_URL: database.url,
    DEMO: '0',
    DRAIN_SECONDS: '3',
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '0',
    SOCKETS_PER_ADDRESS: '2',
    LOG_LEVEL: 'info',
    ASSISTANT_BASE_URL: model.baseUrl,
    ASSISTANT_MODEL: 'stand-in',
  };
  const worker = await Node.start('worker', env);
  cleanUps.push(() => worker.retire());
  gateways = [await Node.start('gateway', env), await Node.start('gateway', env)];
  cleanUps.push(() => Promise.all(gateways.map((gateway) => gateway.retire())));
}, TIMEOUT_MS);

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
}, TIMEOUT_MS);

/** Sends one call, and returns its status, for a failed one with its response and duration, or the code of the connection's error. */
function call(url: string, agent: Agent | false, method: string, path: string): Promise<number | string> {
  const sentAt = performance.now();
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }),
    };
    const req = request(`${url}${path}`, { method, headers, agent }, (res) => {
      let body = '';
      res.on('data', (chunk) => {
        body += chunk;
      });
      res.once('end', () => {
        const ms = Math.round(performance.now() - sentAt);
        resolve(
          res.statusCode! < 500
            ? res.statusCode!
            : `${res.statusCode} of ${res.headers.server} after ${ms} ms: ${body.slice(0, 200)}`,
        );
      });
      res.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    req.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    req.end(method === 'POST' ? '{"all":true}' : undefined);
  });
}

/** Returns what the proxies logged, and the gateways except for their calls. */
function faultsOf(proxies: readonly { output: () => string }[]): string {
  const logs = gateways.flatMap((gateway) =>
    gateway
      .stderr()
      .split('\n')
      .filter((line) => !line.includes('"msg":"request"')),
  );
  return [...proxies.map(({ output }) => output()), ...logs].join('\n');
}

describe.each(proxyKinds)('behind $program', (kind) => {
  describe.skipIf(!isInstalled(kind.program))('with its example configuration', () => {
    test(
      'a rolling restart fails no call and loses no text of a reply',
      async () => {
        const urls: [string, string] = [gateways[0].url, gateways[1].url];
        await using reusing = await startProxy(kind, urls, true);
        await using single = await startProxy(kind, urls, false);
        const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
        const routes = {
          'connections that are used again': { proxy: reusing, agent },
          'a connection per call': { proxy: single, agent: false as const },
        };
        let isOver = false;
        const followed = await Promise.all(
          Object.values(routes).map(({ proxy }) => followReplies(services, proxy.url)),
        );
        const outcomes = Object.fromEntries(
          Object.keys(routes).map((name) => [name, {} as Record<string, number>]),
        );
        const callers = Object.entries(routes).flatMap(([name, route]) =>
          Array.from({ length: CALLERS }, async (_, n) => {
            const counts = outcomes[name]!;
            for (let sent = n; !isOver; sent++) {
              const [method, path] =
                sent % 5 === 0 ? ['POST', '/v1/me/notifications/read'] : ['GET', '/v1/ping'];
              const outcome = await call(route.proxy.url, route.agent, method!, path!);
              counts[outcome] = (counts[outcome] ?? 0) + 1;
              await setTimeout(PAUSE_MS);
            }
          }),
        );
        const codes: (number | null)[] = [];
        for (const gateway of gateways) {
          codes.push(await gateway.end('SIGTERM'));
          await gateway.ready();
          // The proxies send calls to the new process before the other one ends.
          const calls = () => gateway.stderr().match(/"route":"\/v1\/ping"/g)?.length ?? 0;
          await expect.poll(calls).toBeGreaterThan(4 * CALLERS);
        }
        isOver = true;
        await Promise.all(callers);
        agent.destroy();
        for (const { replies, ...faults } of await Promise.all(followed.map((each) => each.finish()))) {
          expect(faults).toEqual({ sentAgain: [], faults: [] });
          expect(replies).toBeGreaterThan(4);
        }
        expect(codes).toEqual([0, 0]);
        for (const [name, counts] of Object.entries(outcomes)) {
          expect(counts, `${name}\n${faultsOf([reusing, single])}`).toEqual({ 200: expect.any(Number) });
          expect(counts[200]).toBeGreaterThan(250);
        }
      },
      TIMEOUT_MS,
    );

    test('a socket works, and the client’s address counts, not the one that it claims', async () => {
      await using proxy = await startProxy(kind, [gateways[0].url, gateways[1].url], true);
      const socket = await openSocket(proxy.url, { params: { token } });
      expect(await socket.call('query', 'ping')).toMatchObject({ data: { json: { ok: true } } });
      socket.ws.close();
      const claimed = { 'x-forwarded-for': '203.0.113.9' };
      const sent = await fetch(`${proxy.url}/v1/ping`, { headers: claimed });
      expect(sent.status).toBe(401);
      expect(gateways.map((gateway) => gateway.stderr()).join()).not.toContain('203.0.113.9');
    });

    test('a body that is too large gets the gateway’s error, which names the limit', async () => {
      await using proxy = await startProxy(kind, [gateways[0].url, gateways[1].url], true);
      const answer = await fetch(`${proxy.url}/v1/me/mail/drafts`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': randomUUID(),
        },
        body: JSON.stringify({ html: 'x'.repeat(11 * 1024 * 1024) }),
      });
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ error: { code: 'payload_too_large' } });
    });

    test('health and metrics are not reachable', async () => {
      await using proxy = await startProxy(kind, [gateways[0].url, gateways[1].url], true);
      for (const path of ['/metrics', '/METRICS', '/metrics/', '/healthz', '/readyz'])
        expect((await fetch(`${proxy.url}${path}`)).status).toBe(404);
    });
  });
});
