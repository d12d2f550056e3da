import { createUserWithToken, openSocket, refusedUpgrade, suiteGateway } from '@firmdesk/testing/gateway';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';

const ALLOWED = 'https://app.example';
const OTHER = 'https://other.example';
const gateway = await suiteGateway({ corsOrigins: new Set([ALLOWED]) });
const closed = await suiteGateway();

const corsHeaders = (headers: Headers) =>
  [...headers].filter(([name]) => name.startsWith('access-control-')).map(([name]) => name);

test.each(['/v1/ping', '/v1/me/devices', '/v1/nothing', '/trpc/ping'])(
  'answers a preflight of an allowed origin for %s',
  async (path) => {
    const headers = { origin: ALLOWED, 'access-control-request-method': 'POST' };
    const answer = await gateway.request(`OPTIONS ${path}`, { headers });
    expect(answer.status).toBe(204);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'access-control-allow-origin': ALLOWED,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Service-Workspace, traceparent, tracestate, trpc-accept, X-Request-Id',
      'access-control-max-age': '7200',
      vary: 'Origin',
    });
  },
);

test('lets an allowed origin read responses, errors too, and their headers', async () => {
  const { token } = await createUserWithToken(gateway);
  for (const target of [
    'GET /v1/ping',
    'GET /v1/nothing',
    'PATCH /v1/ping',
    'GET /trpc/ping',
    'GET /trpc/nothing',
  ]) {
    const { headers } = await gateway.request(target, { token, headers: { origin: ALLOWED } });
    expect(headers.get('access-control-allow-origin'), target).toBe(ALLOWED);
    expect(headers.get('access-control-expose-headers')).toMatch(
      /ETag.*Ignored-Parameters.*Retry-After.*X-Request-Id/,
    );
    expect(headers.get('vary'), target).toMatch(/Origin/);
    expect(headers.has('access-control-allow-credentials')).toBe(false);
  }
});

test.each([
  ['another origin', gateway, OTHER],
  ['a sandboxed page', gateway, 'null'],
  ['an origin that begins like an allowed one', gateway, `${ALLOWED}.evil.example`],
  ['any origin by default', closed, ALLOWED],
])('sends no CORS headers to %s', async (_, { request }, origin) => {
  const preflight = { origin, 'access-control-request-method': 'GET' };
  expect(corsHeaders((await request('OPTIONS /v1/ping', { headers: preflight })).headers)).toEqual([]);
  expect(corsHeaders((await request('GET /v1/ping', { headers: { origin } })).headers)).toEqual([]);
});

test('varies by origin for every client as soon as an origin is allowed', async () => {
  expect((await gateway.request('GET /v1/ping')).headers.get('vary')).toBe(
    'Authorization, Accept-Encoding, Origin',
  );
  expect((await closed.request('GET /v1/ping')).headers.get('vary')).toBe('Authorization, Accept-Encoding');
});

test('refuses the cookie of a call from an allowed origin', async () => {
  const { firm, token } = await createUserWithToken(gateway);
  const cookie = `firmdesk_session_${firm.slug}=${token}`;
  const status = async (origin: string) => {
    const headers = { cookie, origin, 'service-workspace': firm.slug };
    return (await gateway.request('GET /trpc/ping', { headers })).status;
  };
  expect(await status(gateway.url)).toBe(200);
  expect(await status(ALLOWED)).toBe(401);
});

test('accepts a socket of an allowed origin with a token, and not with a cookie', async () => {
  const { firm, token } = await createUserWithToken(gateway);
  const own = await openSocket(gateway.url, { params: { token }, headers: { origin: ALLOWED } });
  expect((await own.call('query', 'ping')).data.json).toMatchObject({ ok: true });
  own.ws.close();
  const headers = { cookie: `firmdesk_session_${firm.slug}=${token}`, origin: ALLOWED };
  const withCookie = await openSocket(gateway.url, { params: { workspace: firm.slug }, headers });
  expect(await withCookie.closed).toEqual([4401, 'invalid_token']);
  expect(await refusedUpgrade(`${gateway.url}/trpc`, { origin: OTHER })).toBe(403);
});

test.each([
  '*',
  'https://app.example/',
  'https://app.example/path',
  'app.example',
  'null',
  'https://APP.example',
  'https://a.example,,',
  'capacitor://localhost/',
  'capacitor://',
  'capacitor://*',
  'Capacitor://localhost',
  'file://localhost',
  'javascript://localhost',
  'ws://localhost',
  'chrome-extension:abcdef',
])('does not start with CORS_ORIGINS=%s', (value) => {
  expect(() => readConfig({ CORS_ORIGINS: value }, '/')).toThrow(ConfigError);
});

test('reads the origins of CORS_ORIGINS', () => {
  const origins = [
    'https://app.example',
    'http://localhost:5173',
    'capacitor://localhost',
    'ionic://localhost',
    'tauri://localhost',
    'app://desk.example',
    'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai',
    'moz-extension://c1f4a3e0-9d1f-4f1f-8d2e-6a2f0d5f9b11',
  ];
  expect([...readConfig({ CORS_ORIGINS: origins.join(', ') }, '/').corsOrigins]).toEqual(origins);
});

test('an app shell of the same host name does not act with the cookie of the console', async () => {
  const { firm, token } = await createUserWithToken(gateway);
  const { host } = new URL(gateway.url);
  const headers = { cookie: `firmdesk_session_${firm.slug}=${token}`, origin: `capacitor://${host}` };
  const answer = await gateway.request('GET /trpc/ping', { headers, workspace: firm.slug });
  expect(answer.status).toBe(401);
});
