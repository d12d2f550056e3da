import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.ts';
import { describeInBrowser } from '../browser/browser.ts';
import { launchBrowser } from '../browser/find-browser.ts';
import { type DemoGateway, openDemo } from './demo.ts';

/** Rendering the reference is slow on a busy machine. */
const TIMEOUT_MS = 300_000;

describeInBrowser('/docs in a browser', { timeout: TIMEOUT_MS }, () => {
  let demo: DemoGateway;
  let browser: Browser;
  let page: Page;
  /** Requests to other hosts, and errors of the page. */
  const foreignRequests: string[] = [];
  const pageErrors: string[] = [];

  beforeAll(async () => {
    demo = await openDemo(inject('postgresUrl'));
    browser = await launchBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(demo.url) && !url.startsWith('data:')) foreignRequests.push(url);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') pageErrors.push(message.text());
    });
    page.on('pageerror', (error) => pageErrors.push(error.message));
  });
  afterAll(async () => {
    expect(foreignRequests).toEqual([]);
    expect(pageErrors).toEqual([]);
    await browser.close();
    await demo[Symbol.asyncDispose]();
  });

  test('the reference calls a GET and a POST with the demo’s token', async () => {
    await page.goto(`${demo.url}/docs/reference`);
    await page.locator('.btn.authorize').click();
    await page.locator('.auth-container input').fill(demo.token);
    await page.locator('.auth-container button[type=submit]').click();
    await page.locator('.auth-container .btn-done, .modal-ux .close-modal').last().click();
    expect(await execute('Ping', 'ping')).toMatchObject({ status: '200' });
    const saved = await execute('Mail', 'mail_saveDraft');
    expect(saved.status).toBe('200');
    expect(JSON.parse(saved.body).data.object).toBe('mail_message');
  });

  /** Opens an operation, executes its example and returns the response. */
  async function execute(tag: string, operation: string): Promise<{ status: string; body: string }> {
    const block = page.locator(`#operations-${tag}-${operation}`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    const live = block.locator('.live-responses-table');
    await live.locator('.response-col_status').last().waitFor();
    return {
      status: (await live.locator('tbody .response-col_status').first().textContent())!.trim(),
      body: (await live.locator('tbody .highlight-code code').first().textContent())!,
    };
  }

  test('every page is accessible in light and dark, and fits a phone', async () => {
    await page.goto(`${demo.url}/docs/`);
    const links = await page
      .locator('nav a, main a')
      .evaluateAll((anchors) => anchors.map((anchor) => (anchor as unknown as { href: string }).href));
    const guides = [...new Set(links)].filter((url) => url.includes('/docs/guides/'));
    expect(guides.length).toBeGreaterThan(6);
    await page.setViewportSize({ width: 375, height: 800 });
    for (const url of [`${demo.url}/docs/`, ...guides]) {
      await page.goto(url);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expectAccessible(page);
      }
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(width, url).toBeLessThanOrEqual(375);
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
