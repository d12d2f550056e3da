import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createUserWithToken, openTestGateway, type TestGateway } from '@firmdesk/testing/gateway';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { launchBrowser } from './find-browser.ts';

/** What a page does with the API of another origin. Runs in the page. */
const CALLS = `async ({ url, token, firm }) => {
  const authorization = 'Bearer ' + token;
  const get = await fetch(url + '/v1/ping', { headers: { authorization } });
  const post = await fetch(url + '/v1/me/notifications/read', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: '{"all":true,"unknown":1}',
  });
  const failed = await fetch(url + '/v1/nothing', { headers: { authorization } });
  const withCookie = await fetch(url + '/trpc/ping', { credentials: 'include', headers: { 'service-workspace': firm } })
    .then((response) => response.status, () => 'blocked');
  const socket = new WebSocket(url.replace('http', 'ws') + '/trpc?connectionParams=1');
  const answer = await new Promise((resolve) => {
    socket.onopen = () => {
      socket.send(JSON.stringify({ method: 'connectionParams', data: { token } }));
      socket.send(JSON.stringify({ id: 1, method: 'query', params: { path: 'ping', input: { json: {} } } }));
    };
    socket.onmessage = ({ data }) => resolve(JSON.parse(data).result?.data.json.ok ?? data);
    socket.onclose = ({ code }) => resolve(code);
  });
  socket.close();
  return {
    get: [get.status, (await get.json()).data.ok, get.headers.get('x-request-id') !== null],
    post: [post.status, post.headers.get('ignored-parameters')],
    failed: [failed.status, (await failed.json()).error.code],
    withCookie,
    socket: answer,
  };
}`;

describeInBrowser('a page of another origin', () => {
  let gateway: TestGateway;
  let browser: Browser;
  let pages: Server;
  let page: Page;
  const originOf = (host: string) => `http://${host}:${(pages.address() as AddressInfo).port}`;

  beforeAll(async () => {
    pages = createServer((_, res) =>
      res.setHeader('content-type', 'text/html').end('<h1>Another origin</h1>'),
    );
    pages.listen(0, '127.0.0.1');
    await once(pages, 'listening');
    gateway = await openTestGateway(inject('postgresUrl'), {
      corsOrigins: new Set([originOf('127.0.0.1')]),
    });
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  afterAll(async () => {
    await browser.close();
    pages.close();
    await gateway[Symbol.asyncDispose]();
  });

  test('that CORS_ORIGINS lists calls the API and opens a socket with a token, and not with a cookie', async () => {
    const { firm, token } = await createUserWithToken(gateway);
    await page
      .context()
      .addCookies([
        { name: `firmdesk_session_${firm.slug}`, value: token, url: gateway.url, sameSite: 'Lax' },
      ]);
    await page.goto(originOf('127.0.0.1'));
    const found = await page.evaluate(
      `(${CALLS})(${JSON.stringify({ url: gateway.url, token, firm: firm.slug })})`,
    );
    expect(found).toEqual({
      get: [200, true, true],
      post: [200, 'unknown'],
      failed: [404, 'resource_not_found'],
      withCookie: 'blocked',
      socket: true,
    });
  });

  test('that CORS_ORIGINS does not list can read nothing', async () => {
    const { token } = await createUserWithToken(gateway);
    await page.goto(originOf('localhost'));
    const found = await page.evaluate(
      `fetch('${gateway.url}/v1/ping', { headers: { authorization: 'Bearer ${token}' } }).then(() => 'read', () => 'blocked')`,
    );
    expect(found).toBe('blocked');
  });
});
