import { createCalendar, createTag, createUser } from '@firmdesk/domain/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { createManyTickets } from './create-many-tickets.ts';

const phone = { width: 390, height: 844 };

describeInBrowser('focus, menus and places', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName,
    );

  test('gives the focus back to where it was when a dialog or menu closes', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    const list = page.getByRole('listbox', { name: 'Tickets' });
    await list.focus();
    for (const open of ['?', 'Control+k']) {
      await page.keyboard.press(open);
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => focused(page), { message: open }).toBe('Tickets');
    }
    await page.keyboard.press('p');
    await page.keyboard.press('Escape');
    await expect.poll(() => focused(page)).toBe('BUTTON');
  });

  test('finds pages, views, people, tags, themes and tickets, a name’s prefix first', async () => {
    const ticket = await app.ticket({ subject: 'Case of the quokka', messages: [{ body: 'Quokka?' }] });
    await createUser(app.services, {
      firm: app.firm,
      name: 'Zora Agent',
      permissions: ['view_tickets', 'manage_tickets'],
    });
    await createTag(app.services, { firm: app.firm, name: 'refund' });
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const open = async (text: string) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
    };
    await open('set');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/assistant');
    await open('cal');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/calendar');
    await open('unass');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tickets?status=open&assignee=none');
    await open('zora');
    await page.getByRole('option', { name: /^Zora Agent/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tickets?assignee=usr_*');
    await open('refund');
    await page.getByRole('option', { name: /^refund/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/tickets?tag=*');
    await open('theme: dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await open('quokka');
    await page.getByRole('option', { name: /Case of the quokka/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole('option', { name: /Case of the quokka/ }).click();
    await page.waitForURL(`**/tickets/${ticket}`);
    await open('sign o');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/sign-in');
  });

  test('shows all times in the time zone of the account, which can be changed', async () => {
    const at = new Date(Date.now() - 40 * 86_400_000);
    at.setUTCHours(23, 30, 0, 0);
    const ticket = await app.ticket({ messages: [{ body: 'At night', at }] });
    const { page } = await app.agent();
    const shown = (zone: string) =>
      new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone }).format(at);
    const time = page.getByRole('article').locator('time');
    await page.goto(`/tickets/${ticket}`);
    await expect.poll(() => time.textContent()).toBe(shown('UTC'));
    await page.goto('/account/sessions');
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
    await page.getByText('Times are now shown in Asia/Tokyo').waitFor();
    await page.goto(`/tickets/${ticket}`);
    await expect.poll(() => time.textContent()).toBe(shown('Asia/Tokyo'));
    await page.goto('/calendar');
    await page.getByText('Tokyo time').waitFor();
  });

  test('reaches the end of a long list with End', async () => {
    const trader = await createManyTickets(app, 1200, 'zy');
    const { page } = await app.agent();
    await page.goto(`/tickets?q=${trader.id}&sort=-created_at`);
    await page.getByRole('option').first().waitFor();
    await page.getByRole('listbox', { name: 'Tickets' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: /^Case 1200\b/, level: 1 }).waitFor();
  });

  test('creates an event with a click on an empty day of the month', async () => {
    const agent = await app.agent();
    const { page } = agent;
    await createCalendar(app.services, { firm: app.firm, owner: agent });
    await page.goto('/calendar?view=month');
    const week = page.getByRole('region', { name: /^Week of/ }).nth(2);
    await week.waitFor();
    const box = (await week.boundingBox())!;
    await page.mouse.click(box.x + box.width / 14, box.y + box.height - 10);
    await page.getByRole('dialog', { name: 'New event' }).waitFor();
    await page.keyboard.type('Stand-up');
    expect(await page.getByLabel('Title').inputValue()).toBe('Stand-up');
  });

  for (const viewport of [{ width: 1440, height: 900 }, phone]) {
    test(`fits dialogs into a window of ${viewport.width} × ${viewport.height}`, async () => {
      const agent = await app.agent({ viewport });
      const { page } = agent;
      await createCalendar(app.services, { firm: app.firm, owner: agent });
      await page.goto('/calendar');
      await page.getByRole('button', { name: 'New event' }).click();
      const dialog = page.getByRole('dialog', { name: 'New event' });
      const box = (await dialog.boundingBox())!;
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.y).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(viewport.width);
      expect(box.y + box.height).toBeLessThanOrEqual(viewport.height);
      await page.getByRole('button', { name: 'Save' }).scrollIntoViewIfNeeded();
      await expectAccessible(page);
    });
  }

  test('labels the navigation on a phone, with targets of at least 44 px, and opens the calendar with one day', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where is it?' }] });
    const { page } = await app.agent({ viewport: phone });
    await page.goto('/calendar');
    await page.getByRole('region', { name: 'Day' }).waitFor();
    const pages = page.getByRole('navigation', { name: 'Pages' });
    for (const label of ['Tickets', 'Mail', 'Calendar']) {
      expect(await pages.getByText(label, { exact: true }).first().isVisible()).toBe(true);
    }
    for (const path of [
      '/tickets',
      `/tickets/${ticket}`,
      '/calendar',
      '/notifications',
      '/account/sessions',
    ]) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      expect(await page.evaluate(smallTargets), path).toEqual([]);
    }
  });

  test('opens the first page that the account may see, also after signing in', async () => {
    const { page, email, password } = await app.agent({ permissions: ['view_payouts'], isSignedOut: true });
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/mail');
  });

  test('says why the sign-in page opened, and returns to the page', async () => {
    const { page, context, email, password } = await app.agent();
    await page.goto('/calendar?view=month');
    await page
      .getByRole('region', { name: /^Week of/ })
      .first()
      .waitFor();
    const other = await context.newPage();
    await other.goto('/tickets');
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You were signed out').waitFor();
    await expectAccessible(page);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/calendar?view=month');
  });

  test('keeps toasts apart from the composer, and shows at most three', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    for (let i = 0; i < 5; i++) {
      await page.getByRole('button', { name: 'Copy link' }).click();
    }
    const toasts = page.locator('[data-sonner-toast][data-visible=true]');
    await expect.poll(() => toasts.count()).toBe(3);
    const composer = (await page.getByRole('region', { name: 'Composer' }).boundingBox())!;
    const boxes = await Promise.all((await toasts.all()).map((toast) => toast.boundingBox()));
    for (const box of boxes) {
      const isBeside = box!.x + box!.width <= composer.x || box!.y + box!.height <= composer.y;
      expect(isBeside).toBe(true);
    }
  });
});

/** Runs in the page: the visible controls that are smaller than a fingertip. */
function smallTargets(): string[] {
  const controls = 'button:not([role=switch]), [role=menuitem], select, nav a, header a, textarea';
  return [...document.querySelectorAll<HTMLElement>(controls)]
    .filter((each) => each.checkVisibility() && !each.closest('.sr-only, [aria-hidden=true]'))
    .filter((each) => {
      const { width, height } = each.getBoundingClientRect();
      return width > 1 && (width < 43.5 || height < 43.5);
    })
    .map((each) => each.outerHTML.slice(0, 120));
}
