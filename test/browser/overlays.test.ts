import { createCalendar, createEvents } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone, viewports } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const key = (keys: string) => (page: Page) => page.keyboard.press(keys);

/** How each menu and dialog is opened, by page. Each is opened on the page that the one before has left. */
const overlays: Record<string, ((page: Page, isPhone: boolean) => Promise<void>)[]> = {
  ticket: [
    button(/^Account of/),
    button(/^Notifications/),
    key('Control+k'),
    key('?'),
    key('s'),
    key('a'),
    key('p'),
    key('t'),
    key('l'),
    // Beside the ticket there is room for the details.
    (page, isPhone) => (isPhone ? button('Trader and details')(page) : key('a')(page)),
    key('e'),
  ],
  '/tickets?status=waiting&priority=high': [
    button(/^Sort/),
    button('Save view'),
    button('Filters'),
    button('Change filter: Priority is High'),
  ],
  '/calendar?view=day&day=2026-11-23': [
    button(/^Review/),
    button('New event'),
    button('New calendar'),
    async (page) => {
      await button(/^Review/)(page);
      await button('Delete')(page);
    },
  ],
  '/pre-registrations': [button('New pre-registration')],
};

const openOverlays = '[role=menu], [role=dialog], [role=alertdialog]';

describeInBrowser('menus and dialogs', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  for (const [width, viewport] of Object.entries(viewports)) {
    test(`has no axe violation in any menu or dialog, on ${width}, in both themes`, async () => {
      const unsent = await app.ticket({ messages: [{ body: 'Where is it?' }] });
      const agent = await app.agent({ viewport });
      const { page } = agent;
      const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
      await createEvents(app.services, [
        {
          calendar_id,
          title: 'Review',
          starts_at: '2026-11-23T10:00:00Z',
          ends_at: '2026-11-23T11:00:00Z',
        },
      ]);
      for (const [path, list] of Object.entries(overlays)) {
        await page.goto(path === 'ticket' ? `/tickets/${unsent}` : path);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        if (path === 'ticket') {
          await page.getByRole('textbox', { name: /^Reply to/ }).fill('Half a sentence');
          await page.keyboard.press('Escape');
        }
        for (const [index, open] of list.entries()) {
          await open(page, viewport === phone);
          await page.locator(openOverlays).last().waitFor();
          const name = path.replace(/\W+/g, '_');
          await expectAccessibleInBothThemes(
            page,
            `overlay-${name}-${index}-${viewport.width}`,
            openOverlays,
          );
          // A dialog over a popover: each closes by itself.
          for (let count = await page.locator(openOverlays).count(); count > 0; ) {
            await page.keyboard.press('Escape');
            await expect.poll(() => page.locator(openOverlays).count()).toBeLessThan(count);
            count = await page.locator(openOverlays).count();
          }
        }
      }
    }, 300_000);
  }
});
