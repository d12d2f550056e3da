import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { appRouter } from '@firmdesk/domain';
import { openApiDocument } from '@firmdesk/gateway/testing';
import type { Browser, Locator, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.ts';
import { describeInBrowser } from '../browser/browser.ts';
import { launchBrowser } from '../browser/find-browser.ts';
import { type DemoGateway, openDemo } from './demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped answers
type Json = any;

const run = promisify(execFile);
const document: Json = openApiDocument(appRouter, 'http://127.0.0.1:4000');
const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item).map(([method, about]) => ({ method, path, about })),
);

/** Returns Scalar's anchor of an operation. */
function anchorOf(id: string): string {
  const { tags } = operations.find(({ about }) => about.operationId === id)!.about;
  return `tag/${tags[0].toLowerCase()}/${id}`;
}

/** Axe is slow on a busy machine. */
const TIMEOUT_MS = 300_000;

describeInBrowser('/docs in a browser', { timeout: TIMEOUT_MS }, () => {
  let demo: DemoGateway;
  /** Another origin that serves the same pages. */
  let elsewhere: string;
  let browser: Browser;
  let page: Page;
  /** Requests to other hosts, and errors of the page. */
  const foreignRequests: string[] = [];
  const pageErrors: string[] = [];

  beforeAll(async () => {
    demo = await openDemo(inject('postgresUrl'));
    elsewhere = demo.url.replace('127.0.0.1', 'localhost');
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    page.on('request', (request) => {
      const url = request.url();
      const isOwn = [demo.url, elsewhere].some((origin) => url.startsWith(`${origin}/`));
      if (!isOwn && !url.startsWith('data:')) foreignRequests.push(url);
    });
    page.on('console', (message) => {
      // The browser reports each response with an error, and some calls of the tests fail.
      const isResponse = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isResponse) pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => pageErrors.push(error.message));
  });
  afterAll(async () => {
    expect(foreignRequests).toEqual([]);
    expect(pageErrors).toEqual([]);
    await browser.close();
    await demo[Symbol.asyncDispose]();
  });

  /** Opens the reference and enters the token. */
  async function openReference(origin = demo.url): Promise<void> {
    await page.goto(`${origin}/docs/reference`);
    await page.locator('#token input').fill(demo.token);
    await page.locator('#token input').blur();
    await page.locator('#token[data-state=ready]').waitFor();
  }

  /** Shows an operation of the reference, and returns its part of the page. */
  async function showOperation(id: string): Promise<Locator> {
    const path = anchorOf(id);
    await page.evaluate((hash) => {
      location.hash = hash;
    }, path);
    const section = page.locator(`[id$="${path}"]`);
    await section.getByRole('button', { name: 'Test Request' }).first().waitFor();
    return section;
  }

  /** Opens the form of an operation. */
  async function openForm(id: string): Promise<Locator> {
    const section = await showOperation(id);
    await section.getByRole('button', { name: 'Test Request' }).first().click();
    return page.getByRole('dialog');
  }

  /** Sends the call of the open form, and closes the form. */
  async function send(id: string): Promise<{ request: Request; status: number; body: Json }> {
    const { method, path } = operations.find(({ about }) => about.operationId === id)!;
    const target = new RegExp(`${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`);
    const [response] = await Promise.all([
      page.waitForResponse(
        (answer) => answer.request().method() === method.toUpperCase() && target.test(answer.url()),
      ),
      page.getByRole('dialog').getByRole('button', { name: 'Send' }).first().click(),
    ]);
    // Scalar shows the answer.
    await page.getByRole('dialog').getByText(String(response.status())).first().waitFor();
    return { request: response.request(), status: response.status(), body: await response.json() };
  }

  async function closeForm(): Promise<void> {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  }

  test('every operation of the reference is sent as it is prefilled, and succeeds', async () => {
    await openReference();
    expect(operations.length).toBeGreaterThan(12);
    // They end a session, or change the password of the demo.
    const excluded = ['sessions_signOut', 'sessions_changePassword'];
    for (const { about } of operations.filter((each) => !excluded.includes(each.about.operationId))) {
      await openForm(about.operationId);
      const { status, body } = await send(about.operationId);
      expect([200, 201], `${about.operationId}: ${JSON.stringify(body)}`).toContain(status);
      await closeForm();
    }
  });

  test('signing out in the reference never sends the token of the page', async () => {
    await openReference();
    await openForm('sessions_signOut');
    const { request, body } = await send('sessions_signOut');
    expect(request.headers()['authorization'] ?? '').not.toContain(demo.token);
    expect(body.error.code).toBe('invalid_token');
    await closeForm();
    await openForm('ping');
    expect((await send('ping')).status).toBe(200);
  });

  test('the reference stores no token', async () => {
    await openReference();
    await openForm('ping');
    expect((await send('ping')).status).toBe(200);
    const stored = await page.evaluate(async () => {
      const databases = await indexedDB.databases();
      return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases]);
    });
    expect(stored).not.toContain(demo.token);
    expect(JSON.parse(stored).at(-1)).toEqual([]);
  });

  test('the reference calls the origin that serves it', async () => {
    await openReference(elsewhere);
    await openForm('ping');
    const { request, status } = await send('ping');
    expect([new URL(request.url()).origin, status]).toEqual([elsewhere, 200]);
  });

  test('each call from the reference has a new idempotency key, unless the reader sets one', async () => {
    await openReference();
    const form = await openForm('notifications_markRead');
    const keys = [];
    for (const _ of [1, 2]) {
      const { request, status } = await send('notifications_markRead');
      expect(status).toBe(200);
      keys.push(request.headers()['idempotency-key']);
    }
    expect(keys[0]).not.toBe(keys[1]);
    const row = form.getByRole('row').filter({ hasText: 'Idempotency-Key' });
    await row.locator('[contenteditable]').last().fill('no UUID');
    expect((await send('notifications_markRead')).body.error.code).toBe('missing_idempotency_key');
  });

  test('the reference shows samples in several languages, and the one for curl runs', async () => {
    await openReference();
    const section = await showOperation('devices_register');
    const sample = section.locator('pre').first();
    for (const [language, part] of [
      ['Swift', 'URLSession'],
      ['Kotlin', 'OkHttpClient()'],
      ['JavaScript', 'fetch('],
      ['Shell', 'curl '],
    ] as const) {
      await page.evaluate(() => scrollTo(0, 0));
      await page.getByRole('tab', { name: language }).click();
      await showOperation('devices_register');
      await expect.poll(() => sample.textContent()).toContain(part);
    }
    const script = (await sample.textContent())!.replace(/(Authorization: Bearer )[^']*/, `$1${demo.token}`);
    const { stdout } = await run('bash', ['-c', script]);
    expect(JSON.parse(stdout).data.object, script).toBe('push_device');
  });

  test('the search of the reference finds an operation', async () => {
    await openReference();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('push token');
    await page.getByRole('option', { name: 'Register a push token' }).first().click();
    await expect.poll(() => page.url()).toContain(anchorOf('devices_register'));
  });

  test('the search finds guides and operations', async () => {
    await page.goto(`${demo.url}/docs/`);
    const search = page.getByRole('searchbox');
    for (const [query, href] of [
      ['retry', '/docs/guides/idempotency-and-retries#when-to-retry'],
      ['push token', `/docs/reference#${anchorOf('devices_register')}`],
      ['idempotncy', '/docs/guides/idempotency-and-retries'],
    ]) {
      await search.fill(query!);
      await page.locator(`#found a[href="${href}"]`).waitFor();
    }
    await search.fill('zzzz');
    await page.getByText('Nothing matches “zzzz”.').waitFor();
  });

  test('every page is accessible in light and dark, and fits a phone', async () => {
    await page.goto(`${demo.url}/docs/`);
    const links = await page
      .locator('nav a, main a')
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as unknown as { href: string }).href));
    const guides = [...new Set(links)].filter((url) => url.includes('/docs/guides/'));
    expect(guides.length).toBeGreaterThan(6);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const url of [`${demo.url}/docs/`, `${demo.url}/docs/reference`, ...guides]) {
      await page.goto(url);
      if (url.endsWith('/reference'))
        await page.getByRole('button', { name: 'Test Request' }).first().waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, url).toBeLessThanOrEqual(390);
    }
  });

  test('every link leads to a page', async () => {
    await page.goto(`${demo.url}/docs/`);
    const seen = new Set<string>();
    const waiting = [`${demo.url}/docs/`];
    for (let url = waiting.pop(); url; url = waiting.pop()) {
      if (seen.has(url)) continue;
      seen.add(url);
      const answer = await fetch(url);
      expect(answer.status, url).toBe(200);
      if (!answer.headers.get('content-type')?.startsWith('text/html')) continue;
      for (const [, link] of (await answer.text()).matchAll(/<a href="([^"#]+)/g)) {
        waiting.push(new URL(link!, url).href);
      }
    }
    expect(seen.size).toBeGreaterThan(9);
  });
});
