import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, QUESTION } from './browser.ts';

describeInBrowser('the service worker', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Opens a page and waits until the service worker has stored the console. */
  async function visit(page: Page, path: string): Promise<void> {
    await page.goto(app.pathOf(path));
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  }

  test('opens every page while the gateway is away, also after a reload, and keeps what is not saved', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent({ hasServiceWorker: true });
    await visit(page, `/tickets/${ticket}`);
    await app.restart(async () => {
      await page.getByRole('textbox', { name: /^Reply to/ }).fill('Paid on Monday.');
      await page.keyboard.press('Control+Enter');
      await page.getByText('1 change isn’t saved yet.').waitFor();
      await page.reload();
      await page.getByText('1 change isn’t saved yet.').waitFor();
      for (const [path, name] of [
        ['/mail', 'Mail'],
        ['/calendar', 'Calendar'],
        ['/notifications', 'Notifications'],
        ['/settings/assistant', 'Assistant settings'],
      ] as const) {
        await page.goto(app.pathOf(path));
        await expect.poll(() => page.title()).toBe(`${name} · Firmdesk`);
      }
      // Another window knows no account of the firm, and stores none.
      const other = await page.context().newPage();
      await other.goto(app.pathOf('/tickets'));
      await other.getByText('You’re offline').waitFor();
      await expectAccessible(other);
      await other.close();
    });
    await page.goto(app.pathOf(`/tickets/${ticket}`));
    await page
      .getByRole('article', { name: /^Message, Robin/ })
      .getByText('Paid on Monday.')
      .waitFor();
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
    const { rows } = await app.services.pool.query(
      `select body from ticket_messages where ticket_id = $1 and from_kind = 'admin'`,
      [ticket],
    );
    expect(rows).toEqual([{ body: 'Paid on Monday.' }]);
  });

  test('shows a new version at the first load after its deployment, and stores no data', async () => {
    const { page } = await app.agent({ hasServiceWorker: true });
    await visit(page, '/mail');
    app.deploy((html) => html.replace('<body>', '<body data-version="2">'));
    await app.restart();
    await page.reload();
    expect(await page.locator('body').getAttribute('data-version')).toBe('2');
    const stored = await page.evaluate(async () => {
      const names = await caches.keys();
      const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(stored).toContain('/index.html');
    expect(stored.filter((path) => !/^\/(assets\/.+|index\.html|theme\.js|icon\.svg)$/.test(path))).toEqual(
      [],
    );
  });
});
