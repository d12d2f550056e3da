import { mkdir } from 'node:fs/promises';
import { createCalendar, createEvents, createStaff, createWorkspace } from '@firmdesk/domain/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
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

const phone = { width: 390, height: 844 };
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
    async (page) => {
      await button(/^Sort/)(page);
      await page.getByRole('menuitem', { name: 'Save view…' }).click();
    },
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

/** The folder for screenshots. Without it, the tests take none. */
const screenshots = process.env['SCREENSHOTS'];

describeInBrowser('the frame', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    if (screenshots) await mkdir(screenshots, { recursive: true });
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('asks for sign-in and returns to the requested page', async () => {
    const { page, email, password } = await app.agent({ isSignedOut: true });
    await page.goto('/notifications');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/firms/${app.firm.slug}/notifications`);
  });

  test('signs out every window of the browser', async () => {
    const { page, context } = await app.agent();
    await page.goto('/tickets');
    const other = await context.newPage();
    await other.goto('/notifications');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Firmdesk' }).waitFor();
    await other.getByRole('heading', { name: 'Firmdesk' }).waitFor();
  });

  test('lets staff choose and switch the firm', async () => {
    const other = await createWorkspace(app.services);
    await app.ticket({ subject: 'Of the first firm' });
    const password = 'correct horse battery';
    const { email } = await createStaff(app.services, [app.firm, other], password);
    const { page } = await app.agent({ isSignedOut: true });
    await page.goto('/tickets');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Choose a firm' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: app.firm.name }).click();
    await page.getByText('Of the first firm').first().waitFor();
    await page.getByRole('button', { name: /switch firm/ }).click();
    await page.getByRole('menuitemcheckbox', { name: other.name }).click();
    await page.getByText('No tickets yet').waitFor();
    expect(await page.getByText('Of the first firm').count()).toBe(0);
  });

  test('reaches every page by keyboard and lists the shortcuts', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/calendar');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Command menu').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').fill('Notifications');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/notifications');
  });

  test('turns single-key shortcuts off', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').waitFor();
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`has no axe violation on any page, ${colorScheme}, on a wide screen and on a phone`, async () => {
      const ticket = await app.ticket();
      for (const viewport of [{ width: 1280, height: 800 }, phone]) {
        const { page, context } = await app.agent({ colorScheme, viewport });
        for (const path of [...pages, `/tickets/${ticket}`, '/nowhere']) {
          await page.goto(path);
          await page.waitForLoadState('networkidle');
          await expectAccessible(page);
          const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
          expect(isWider, `${path} at ${viewport.width} is wider than its window`).toBe(false);
          if (screenshots) {
            const name = path.replaceAll('/', '_').replace(ticket, 'ticket');
            await page.screenshot({ path: `${screenshots}/${name}-${colorScheme}-${viewport.width}.png` });
          }
        }
        await context.close();
      }
    });

    test(`has no axe violation in any menu or dialog, ${colorScheme}, on a wide screen and on a phone`, async () => {
      const unsent = await app.ticket({ messages: [{ body: 'Where is it?' }] });
      for (const viewport of [{ width: 1440, height: 900 }, phone]) {
        const agent = await app.agent({ colorScheme, viewport });
        const { page, context } = agent;
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
            const overlay = page.locator('[role=menu], [role=dialog], [role=alertdialog]').last();
            await overlay.waitFor();
            await expectAccessible(page);
            if (screenshots) {
              const name = `${path.replace(/\W+/g, '_')}-${index}-${colorScheme}-${viewport.width}`;
              await page.screenshot({ path: `${screenshots}/overlay-${name}.png` });
            }
            // A dialog over a popover: each closes by itself.
            while ((await page.locator('[role=menu], [role=dialog], [role=alertdialog]').count()) > 0) {
              const count = await page.locator('[role=menu], [role=dialog], [role=alertdialog]').count();
              await page.keyboard.press('Escape');
              await expect
                .poll(() => page.locator('[role=menu], [role=dialog], [role=alertdialog]').count())
                .toBeLessThan(count);
            }
          }
        }
        await context.close();
      }
    }, 300_000);
  }
});
