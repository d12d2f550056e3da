import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, viewports } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const pages = [
  '/tickets',
  '/mail',
  '/calendar',
  '/notifications',
  '/pre-registrations',
  '/reports',
  '/settings/assistant',
  '/settings/mail',
  '/settings/members',
  '/settings/keys',
  '/settings/webhooks',
  '/settings/sign-in',
  '/settings/audit',
  '/settings/mailboxes',
  '/account/sessions',
  '/account/notifications',
  '/account/sign-in',
];

describeInBrowser('every page', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('shows what is chosen, switched on and unread in forced colours', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where?' }] });
    await app.ticket({ unread: 1 });
    const { page } = await app.agent();
    await page.emulateMedia({ forcedColors: 'active' });
    const style = (locator: Locator) =>
      locator.first().evaluate((element) => {
        const { outlineStyle, backgroundColor } = getComputedStyle(element);
        return { outlineStyle, backgroundColor };
      });
    /** Expects that two elements look different. */
    const expectDifferent = async (one: Locator, other: Locator) =>
      expect(await style(one)).not.toEqual(await style(other));

    await page.goto(`/tickets/${ticket}`);
    const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
    await expectDifferent(
      rows.and(page.locator('[aria-selected=true]')),
      rows.and(page.locator('[aria-selected=false]')),
    );
    await page.keyboard.press('r');
    const type = page.getByRole('group', { name: 'Message type' });
    await expectDifferent(
      type.getByRole('button', { name: 'Reply' }),
      type.getByRole('button', { name: 'Internal note' }),
    );
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await expectDifferent(links.filter({ hasText: 'Tickets' }), links.filter({ hasText: 'Mail' }));
    const dot = await style(page.locator('.unread-dot'));
    expect(dot.backgroundColor).not.toBe((await style(rows)).backgroundColor);

    await page.goto('/account/sessions');
    const switches = page.getByRole('switch');
    await expectDifferent(
      switches.and(page.locator('[aria-checked=true]')),
      switches.and(page.locator('[aria-checked=false]')),
    );
    await page.goto('/calendar');
    const views = page.getByRole('navigation', { name: 'View' }).getByRole('link');
    await expectDifferent(views.filter({ hasText: 'week' }), views.filter({ hasText: 'day' }));
    // A field that is drawn by its label.
    await page.goto('/calendar?create=true');
    const colours = page.getByRole('dialog').locator('label:has([type=radio])');
    await expectDifferent(colours.filter({ hasText: 'Automatic' }), colours.filter({ hasText: 'indigo' }));
    await page.getByRole('dialog').getByText('pink').click();
    // Events and their calendars are told apart by colour only.
    await page.getByRole('dialog').getByLabel('Name').fill('Payouts');
    await page.keyboard.press('Enter');
    const box = page.getByRole('checkbox', { name: 'Payouts' });
    expect(await box.evaluate((element) => getComputedStyle(element).forcedColorAdjust)).toBe('none');
  });

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
        const isLarger = await page.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return scrollWidth > innerWidth || scrollHeight > innerHeight;
        });
        expect(isLarger, `${path} at ${viewport.width} is larger than its window`).toBe(false);
      }
    });
  }
});
