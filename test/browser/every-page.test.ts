import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, viewports } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const pages = [
  '/tickets',
  '/mail',
  '/calendar',
  '/notifications',
  '/pre-registrations',
  '/settings/assistant',
  '/account/sessions',
];

describeInBrowser('every page', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  for (const [width, viewport] of Object.entries(viewports)) {
    test(`has no axe violation on any page, on ${width}, in both themes`, async () => {
      const ticket = await app.ticket();
      const { page } = await app.agent({ viewport });
      for (const path of [...pages, `/tickets/${ticket}`, '/nowhere']) {
        await page.goto(path);
        // A slow page may be without requests before it is drawn.
        await page.locator('h1').first().waitFor({ state: 'attached' });
        await page.waitForLoadState('networkidle');
        const name = path.replaceAll('/', '_').replace(ticket, 'ticket');
        await expectAccessibleInBothThemes(page, `${name}-${viewport.width}`);
        const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect(isWider, `${path} at ${viewport.width} is wider than its window`).toBe(false);
      }
    });
  }
});
