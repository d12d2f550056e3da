import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.ts';
import { describeInBrowser } from '../browser/browser.ts';
import { launchBrowser } from '../browser/find-browser.ts';
import { type DemoGateway, openDemo } from './demo.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests assert on untyped answers
type Json = any;

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
    page.setDefaultTimeout(TIMEOUT_MS);
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

  async function openReference(origin = demo.url): Promise<void> {
    await page.goto(`${origin}/docs/reference`);
    await page.getByLabel('Token', { exact: true }).fill(demo.token);
    await page.getByLabel('Token', { exact: true }).blur();
    await page.locator('#settings[data-state=ready]').waitFor();
  }

  /** Opens the form of an operation and fills in the given fields. */
  async function openForm(operation: string, fields: Record<string, string> = {}): Promise<Locator> {
    const form = page.locator(`#${operation} .try form`);
    await page.locator(`#${operation} .try summary`).click();
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
    return form;
  }

  /** Sends the call of a form and returns its response. */
  async function send(form: Locator): Promise<{ status: string; shown: string; body: Json }> {
    await form.locator('button').click();
    const result = form.locator('.result');
    await result.locator('pre').waitFor();
    const shown = (await result.textContent())!;
    return {
      status: shown.slice(0, 3),
      shown,
      body: JSON.parse((await result.locator('pre').textContent())!),
    };
  }

  test('every operation of the reference except sign-out is sent as it is prefilled, and succeeds', async () => {
    await openReference();
    const operations = await page
      .locator('article')
      .evaluateAll((articles) => articles.map((article) => (article as unknown as { id: string }).id));
    expect(operations.length).toBeGreaterThan(12);
    // They end a session, or change the password of the demo.
    const others = operations.filter((id) => !['sessions_signOut', 'sessions_changePassword'].includes(id));
    for (const id of others) {
      const { status, shown } = await send(await openForm(id));
      expect(['200', '201'], `${id}: ${shown}`).toContain(status);
    }
  });

  test('signing out in the reference never ends the token of the page', async () => {
    await openReference();
    const signOut = await openForm('sessions_signOut');
    await signOut.locator('button').click();
    // The browser asks for the required token.
    expect(await signOut.locator(':invalid').getAttribute('name')).toBe('own-token');
    const { body } = await send(await openForm('sessions_signIn'));
    await signOut.locator('[name="own-token"]').fill(String(body.data.token));
    expect((await send(signOut)).status).toBe('200');
    expect((await send(await openForm('ping'))).status).toBe('200');
  });

  test('the reference calls the origin that serves it', async () => {
    await openReference(elsewhere);
    const called = page.waitForRequest(`${elsewhere}/v1/me/devices`);
    expect((await send(await openForm('devices_register'))).status).toMatch(/^20[01]$/);
    await called;
  });

  test('the reference shows which parameters were ignored, and that a POST needs a key', async () => {
    await openReference();
    const form = await openForm('notifications_markRead', { body: '{"all":true,"everything":true}' });
    expect(await form.locator('[name="Idempotency-Key"]').getAttribute('required')).not.toBeNull();
    expect((await send(form)).shown).toContain('Ignored-Parameters: everything');
    const another = await send(form);
    expect(another.status).toBe('200');
    const failed = await openForm('tickets_askAssistant', { 'Idempotency-Key': 'no UUID' });
    expect((await send(failed)).body.error.code).toBe('missing_idempotency_key');
  });

  test('the reference shows samples in the chosen language', async () => {
    await openReference();
    const shown = page.locator('#devices_register .sample:visible');
    for (const [language, part] of [
      ['curl', 'curl -s -X POST "$URL/v1/me/devices"'],
      ['TypeScript', "client.POST('/v1/me/devices'"],
      ['Swift', 'URLSession.shared.data(for: request)'],
      ['Kotlin', 'OkHttpClient()'],
    ] as const) {
      await page.getByLabel('Samples in').selectOption(language);
      expect(await shown.textContent()).toContain(part);
    }
  });

  test('the search finds guides and operations', async () => {
    await page.goto(`${demo.url}/docs/`);
    const search = page.getByRole('searchbox');
    for (const [query, href] of [
      ['retry', '/docs/guides/idempotency-and-retries#when-to-retry'],
      ['push token', '/docs/reference#devices_register'],
      ['idempotncy', '/docs/guides/idempotency-and-retries'],
    ]) {
      await search.fill(query!);
      await page.locator(`#found a[href="${href}"]`).waitFor();
    }
    await search.fill('zzzz');
    await page.getByText('Nothing matches “zzzz”.').waitFor();
  });

  test('the reference has two columns on a wide screen', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${demo.url}/docs/reference`);
    const [about, use] = await Promise.all(
      ['.about', '.use'].map((part) => page.locator(`#devices_register ${part}`).boundingBox()),
    );
    expect(use!.x).toBeGreaterThan(about!.x + about!.width);
    expect(use!.y).toBe(about!.y);
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
