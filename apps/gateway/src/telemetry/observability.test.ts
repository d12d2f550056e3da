import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { createToken, createUser, createWorkspace, unique } from '@firmdesk/testing';
import { EFFECTS, openTestGateway, type TestGateway, testRouter } from '@firmdesk/testing/gateway';
import superjson from 'superjson';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';

const PASSWORD = 'planted password 4711';
let gateway: TestGateway;
let real: TestGateway;
let token: { id: string; text: string };
let firm: { slug: string };
beforeAll(async () => {
  gateway = await openTestGateway(inject('postgresUrl'), { router: testRouter });
  real = await openTestGateway(inject('postgresUrl'));
  await gateway.services.pool.query(EFFECTS);
  await gateway.services.pool.query(`alter table effects add check (value not like 'planted refused%')`);
  const made = await createWorkspace(gateway.services);
  firm = made;
  const user = await createUser(gateway.services, { firm: made });
  token = await createToken(gateway.services, { user, workspace: made.slug });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await real[Symbol.asyncDispose]();
});
afterEach(() => {
  gateway.log.lines.splice(0);
  real.log.lines.splice(0);
});

const requestLines = ({ log }: TestGateway) =>
  log.lines.filter(({ message }) => message === 'request').map(({ fields }) => fields);
/** Waits for the log line of a request: the client may receive the response before the line is written. */
async function lineOf(node: TestGateway, requestId: string) {
  await expect
    .poll(() => requestLines(node).find(({ request_id }) => request_id === requestId))
    .toBeDefined();
  return requestLines(node).find(({ request_id }) => request_id === requestId)!;
}

describe('the log line of a request', () => {
  test('names the caller and the route’s template', async () => {
    const answer = await gateway.request('POST /v1/test/effects', {
      token: token.text,
      body: { value: 'x' },
    });
    const line = await lineOf(gateway, answer.body.meta.request_id);
    expect(line).toEqual({
      request_id: answer.headers.get('x-request-id'),
      token: token.id,
      workspace: firm.slug,
      method: 'POST',
      route: '/v1/test/effects',
      status: 201,
      ms: expect.any(Number),
      aborted: undefined,
    });
    const { id } = await createToken(real.services, {
      user: await createUser(real.services, { firm: await createWorkspace(real.services) }),
      workspace: 'platform',
    });
    const ended = await real.request(`DELETE /v1/me/sessions/${id}`);
    expect(await lineOf(real, ended.body.meta.request_id)).toMatchObject({
      route: '/v1/me/sessions/{id}',
      status: 401,
      token: undefined,
    });
  });

  test('never contains a token, a password or a body, in any error', async () => {
    const firm = await createWorkspace(real.services);
    const user = await createUser(real.services, { firm, password: PASSWORD });
    const { text: secret } = await createToken(real.services, { user, workspace: firm.slug });
    const planted = unique('planted');
    const signIn = (password: string) =>
      real.request('POST /v1/sessions', { body: { email: user.email, password, name: planted } });
    const issued = (await signIn(PASSWORD)).body.data.token;
    await signIn(`${PASSWORD}!`);
    await real.request(`GET /v1/ping?token=${planted}`, { token: secret });
    await real.request(`GET /v1/${planted}`, { token: secret });
    await real.request('GET /v1/ping', {
      token: `${secret}x`,
      headers: { cookie: `firmdesk_session_${firm.slug}=${issued}` },
    });
    await real.rpc('sessions.signIn', { body: { email: user.email, password: PASSWORD, name: planted } });
    await gateway.request('POST /v1/test/effects', {
      token: token.text,
      body: { value: `planted refused ${planted}` },
    });
    await gateway.rpc('effect', { token: token.text, body: `{"json":{"value":"${planted}"` });
    const written = JSON.stringify([...real.log.lines, ...gateway.log.lines]);
    expect(written).toContain('"code":"23514"');
    for (const forbidden of [secret, issued, token.text, PASSWORD, planted, user.email]) {
      expect(written).not.toContain(forbidden);
    }
  });

  test('writes only the safe parts of an error', async () => {
    const logger = new URL('logger.ts', import.meta.url).href;
    const script = `
      import { createLogger } from ${JSON.stringify(logger)};
      const cause = Object.assign(new Error('violates a check\\n - detail: Failing row contains (planted)'), {
        code: '23514', severity: 'ERROR', detail: 'planted', where: 'planted', query: 'planted', constraint: 'a_check' });
      const value = Object.assign(new Error('invalid input syntax for type integer: "planted"'), {
        code: '22P02', severity: 'ERROR', cause });
      createLogger('info').error({ err: new Error('it failed', { cause: value }), request_id: 'req_1' }, 'call failed');
    `;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const line = await text(child.stderr);
    expect(line).not.toContain('planted');
    expect(JSON.parse(line)).toMatchObject({
      level: 50,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      msg: 'call failed',
      request_id: 'req_1',
      err: {
        type: 'Error',
        message: 'it failed',
        cause: {
          message: 'data exception',
          code: '22P02',
          cause: { message: 'violates a check', constraint: 'a_check' },
        },
      },
    });
  });
});

describe('metrics', () => {
  const metrics = async () => (await gateway.request('GET /metrics')).text;

  test('count requests by their route’s template, with a bounded number of labels', async () => {
    const effect = superjson.serialize({ value: 'x' });
    await gateway.request('POST /v1/test/effects', { token: token.text, body: { value: 'x' } });
    await gateway.rpc('effect', { token: token.text, body: { value: 'x' } });
    const batch = { token: token.text, body: { 0: effect, 1: effect } };
    await gateway.request('POST /trpc/effect,effect?batch=1', batch);
    for (let i = 0; i < 5; i++) {
      await gateway.request(`GET /v1/${unique('path')}`);
      await gateway.request(`GET /trpc/${unique('name')}`);
      await gateway.request(`GET /${unique('path')}`);
      await gateway.request(`GET /docs/${unique('path')}`);
    }
    await expect
      .poll(metrics)
      .toContain('http_requests_total{method="GET",route="/trpc (unknown)",status="404"} 5');
    const routes = new Set([...(await metrics()).matchAll(/route="([^"]+)"/g)].map(([, route]) => route));
    expect(routes).toContain('/v1/test/effects');
    expect(routes).toContain('/trpc/effect');
    expect(routes).toContain('/trpc (batch)');
    for (const route of routes) {
      expect([
        'unknown',
        '/metrics',
        '/trpc (unknown)',
        '/trpc (batch)',
        '/trpc/effect',
        '/v1/test/effects',
      ]).toContain(route);
    }
  });

  test('show the age of the oldest row of each retention period', async () => {
    const at = new Date(gateway.clock.now().getTime() - 73 * 3_600_000).toISOString();
    await gateway.services.pool.query(
      `insert into idempotency_keys (id, body_hash, created_at) values ('old', '', $1)`,
      [at],
    );
    const shown = await metrics();
    expect(shown).toMatch(/^retention_oldest_seconds\{kind="idempotency_keys"\} 262800$/m);
    expect(shown).toMatch(/^retention_kept_seconds\{kind="idempotency_keys"\} 259200$/m);
    expect(shown).toMatch(/^retention_oldest_seconds\{kind="push_outbox"\} 0$/m);
    expect(shown).toMatch(/^retention_pruned_rows_total\{kind="live_events"\} 0$/m);
  });

  test('are numbers, also when scraped twice before the event loop was measured', async () => {
    for (let scrape = 0; scrape < 2; scrape++) {
      const { text: shown } = await real.request('GET /metrics');
      expect(shown).not.toMatch(/ Nan$/m);
      expect(shown).not.toMatch(/^nodejs_eventloop_lag_\w+ \d{5}/m);
    }
  });

  test('show the pool and open sockets', async () => {
    const shown = await metrics();
    expect(shown).toMatch(/^database_pool_connections\{pool="calls",state="total"\} \d+$/m);
    expect(shown).toMatch(/^websocket_connections 0$/m);
    expect(shown).toMatch(/^http_request_duration_seconds_bucket/m);
    expect(shown).toMatch(/^nodejs_eventloop_lag_seconds /m);
  });
});

describe('health', () => {
  test('reports the process as alive, and as ready with a migrated database', async () => {
    expect((await gateway.request('GET /healthz')).body).toEqual({ ok: true });
    const ready = await gateway.request('GET /readyz');
    expect(ready.body.ok).toBe(true);
    expect(ready.body.checks).toMatchObject({ listener: 'ok', database: 'ok', migrations: 'ok' });
  });

  test('reports the process as not ready while a migration is pending', async () => {
    await using behind = await openTestGateway(inject('postgresUrl'));
    await behind.services.pool.query(`delete from mikro_orm_migrations where name = '0012-imports'`);
    const ready = await behind.request('GET /readyz');
    expect([ready.status, ready.body.checks.migrations]).toEqual([503, 'failed']);
  });
});
