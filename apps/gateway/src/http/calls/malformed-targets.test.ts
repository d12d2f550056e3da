/**
 * Malformed ids and parameters of every declared route, and of the paths that no procedure serves: none reaches PostgreSQL in a form
 * that it refuses, so that none is an internal error.
 */
import { get, type IncomingHttpHeaders } from 'node:http';
import { permissions } from '@firmdesk/contract';
import { appRouter } from '@firmdesk/domain';
import { createUserWithToken, openSocket, suiteGateway } from '@firmdesk/testing/gateway';
import { beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from './routes.ts';

const gateway = await suiteGateway();
let me: Awaited<ReturnType<typeof createUserWithToken>>;
beforeAll(async () => {
  me = await createUserWithToken(gateway, { permissions: [...permissions] });
});

/** NUL, bytes that are not UTF-8, a surrogate, a path, a number that is too large, and a long text. */
const MALFORMED = [
  '%00',
  'tkt_%00',
  'att_%00',
  '%FF',
  '%ED%A0%80',
  '..%2F..%2Fx',
  '99999999999999999999',
  'x'.repeat(5_000),
];

const routes = routesOf(appRouter).map(({ spec, accepted }) => ({ ...spec.rest, accepted }));
const call = (target: string) =>
  gateway.request(target, { token: me.token, ...(/^P/.test(target) && { body: {} }) });

test.each(routes.filter(({ path }) => path.includes('{')))(
  '$method $path with a malformed id',
  async ({ method, path }) => {
    for (const id of MALFORMED) {
      const { status, text } = await call(`${method} ${path.replaceAll(/\{\w+\}/g, id)}`);
      // The body of a call is checked before its resource is looked up.
      expect([404, 422], `${id}: ${text}`).toContain(status);
    }
  },
);

test.each(routes.filter(({ path }) => path.includes('{')))(
  '$method $path with a malformed id and no token: the token is checked first',
  async ({ method, path }) => {
    for (const id of MALFORMED) {
      const { status, text } = await gateway.request(`${method} ${path.replaceAll(/\{\w+\}/g, id)}`);
      expect(status, `${id}: ${text}`).toBe(401);
    }
  },
);

test.each([
  '/v1/ping/',
  '/v1//ping',
  '//v1/ping',
  '/V1/ping',
  '/v1/Ping',
  '/v1/ping#x',
  '/v1/p%69ng',
  '/v1/x/../ping',
  '/v1/./ping',
  String.raw`/v1\ping`,
  '/v1/ping%2F',
  '/v1%2Fping',
  '/TRPC/ping',
  '/trpc//ping',
  '/trpc/ping/',
  '/trpc/Ping',
  '/trpc/x/ping',
  '/trpc/x/../ping',
  '/trpc/ping#x',
])('GET %s is no other spelling of a path', async (path) => {
  const { status, headers } = await rawRequest(gateway.url, path, me.token);
  expect(status).toBe(404);
  expect(headers['x-request-id']).toMatch(/^req_/);
});

test.each(routes.filter(({ accepted }) => accepted.query.size > 0))(
  '$method $path with malformed parameters',
  async ({ method, path, accepted }) => {
    for (const value of MALFORMED) {
      for (const name of accepted.query) {
        const { status, text } = await call(
          `${method} ${path.replaceAll(/\{\w+\}/g, 'tkt_000000')}?${name}=${value}`,
        );
        expect(status, `${name}=${value}: ${text}`).toBeLessThan(500);
        if (['%00', '%FF', '%ED%A0%80'].includes(value))
          expect([400, 404], `${name}=${value}`).toContain(status);
      }
    }
  },
);

describe('paths that no procedure serves', () => {
  test.each(['GET', 'HEAD', 'PUT'])('%s /attachments', async (method) => {
    const paths = MALFORMED.flatMap((part) => [
      `${me.firm.slug}/${part}`,
      `${part}/att_000000`,
      `${part}/${part}`,
    ]);
    for (const path of [...paths, `${me.firm.slug}/matt_%00`, `${me.firm.slug}/att_1`]) {
      const { status, text } = await call(`${method} /attachments/${path}`);
      // A path names the firm, so that a malformed one is a firm that does not exist.
      expect([400, 403, 404], `${path}: ${text}`).toContain(status);
      if (path.startsWith(me.firm.slug)) expect(status, path).toBe(404);
    }
  });

  test.each(['/avatars/', '/docs/', '/', '/trpc/', '/v1/', '/v1/openapi.json'])('GET %s', async (path) => {
    for (const part of MALFORMED) {
      const { status, headers, text } = await call(`GET ${path}${part}`);
      expect(status, `${part}: ${text}`).toBe(404);
      expect(headers.get('content-type')).toContain('application/json');
    }
  });

  test('a socket with malformed parameters of its connection', async () => {
    for (const part of ['\0', '\ud800', 'x'.repeat(5_000)]) {
      const refused = await openSocket(gateway.url, { params: { token: part } });
      expect(await refused.closed).toEqual([4401, 'invalid_token']);
      const socket = await openSocket(gateway.url, { params: { token: me.token, workspace: part } });
      expect(await socket.call('query', 'tickets.list', {})).toMatchObject({
        code: 'workspace_not_permitted',
      });
      expect((await socket.call('query', 'ping')).data.json).toMatchObject({ ok: true });
      socket.ws.close();
    }
  });

  test.each([
    'notifications.live',
    'notifications%2Elive',
    'notifications.live/',
    'x/../notifications.live',
    'x/%2e%2E/notifications.live',
    String.raw`x\..\notifications.live`,
    'notifications.live#x',
    'ping%2cnotifications%2Elive?batch=1',
    'ping,notifications.live/?batch=1',
  ])('GET /trpc/%s: streams are served over websocket, however their path is written', async (path) => {
    const { status, headers } = await rawRequest(gateway.url, `/trpc/${path}`, me.token);
    // tRPC refuses a batch as a whole only if it is too long.
    expect([404, 207]).toContain(status);
    expect(headers['content-type']).toContain('application/json');
  });
});

/** Sends a target as it is. `fetch` would rewrite it as a URL. */
function rawRequest(
  url: string,
  path: string,
  token: string,
): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const headers = { authorization: `Bearer ${token}` };
    get({ hostname, port, path, headers }, (res) => {
      resolve({ status: res.statusCode!, headers: res.headers });
      res.destroy();
    }).on('error', reject);
  });
}
