import { createStaff, createTicket, createWorkspace } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible, expectContrast } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, PASSWORD } from './browser.ts';
import { createMember } from './create-member.ts';

describeInBrowser('the frame', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Says in the dialog of the staff why they open a firm. */
  async function giveReason(page: Page): Promise<void> {
    await page.getByLabel('Reason').fill('Request 17');
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
  }

  /** Creates two firms with a ticket each. */
  async function twoFirms() {
    const firms = [await createWorkspace(app.services), await createWorkspace(app.services)] as const;
    for (const firm of firms)
      await createTicket(app.services, {
        firm,
        trader: app.trader,
        subject: `In ${firm.slug}`,
        status: 'awaiting_admin',
      });
    return firms;
  }

  /** Fills in the sign-in form. */
  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
  }

  test('asks for sign-in and returns to the requested page', async () => {
    const { page, email } = await app.agent({ isSignedOut: true });
    await page.goto('/notifications');
    await signIn(page, email, 'not the password');
    await page.getByRole('alert').getByText('Incorrect email or password.').waitFor();
    await expectAccessible(page);
    await signIn(page, email);
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/firms/${app.firm.slug}/notifications`);
  });

  test('lets staff choose and switch the firm', async () => {
    const other = await createWorkspace(app.services);
    await app.ticket({ subject: 'Of the first firm' });
    const { email } = await createStaff(app.services, [app.firm, other], PASSWORD);
    const { page } = await app.agent({ isSignedOut: true });
    await page.goto('/tickets');
    await signIn(page, email);
    await page.getByRole('heading', { name: 'Choose a firm' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: app.firm.name }).click();
    await giveReason(page);
    await page.getByText('Of the first firm').first().waitFor();
    const bar = page.getByRole('region', { name: 'Staff' });
    await bar.getByText(app.firm.name).waitFor();
    const colour = () => bar.evaluate((element) => getComputedStyle(element).backgroundColor);
    const first = await colour();
    await expectAccessible(page);
    await page.getByRole('button', { name: /switch firm/ }).click();
    await page.getByRole('menuitemcheckbox', { name: other.name }).click();
    await giveReason(page);
    await page.getByText('No tickets yet').waitFor();
    expect(await page.getByText('Of the first firm').count()).toBe(0);
    await bar.getByText(other.name).waitFor();
    expect(await colour()).not.toBe(first);
    await page.goto(`/firms/${other.slug}/calendar`);
    await bar.getByText(other.name).waitFor();
  });

  test('opens the nearest page for a path without one, and says within the frame that a section is unknown', async () => {
    const { page } = await app.agent();
    for (const [path, nearest] of [
      ['/settings', '/settings/assistant'],
      ['/account', '/account/sessions'],
      ['/mail/5', '/mail'],
      ['/tickets/none/such', '/tickets'],
    ] as const) {
      await page.goto(`/firms/${app.firm.slug}${path}`);
      await page.waitForURL((url) => url.pathname === `/firms/${app.firm.slug}${nearest}`);
    }
    await page.goto(`/firms/${app.firm.slug}/payouts/pay_1`);
    await page.getByText('The page may belong to another part of the platform.').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Mail' }).waitFor();
    await page.getByRole('link', { name: 'Go to tickets' }).click();
    await page.getByRole('heading', { name: 'All tickets', level: 1 }).waitFor();
  });

  test('reaches every page by keyboard and lists the shortcuts', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    // The second key is sent without waiting for the page to handle the first one: they make a sequence for a short time only.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('c')]);
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

  test('signs out by the command menu', async () => {
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.getByRole('option', { name: /^Sign out/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.url}/sign-in`);
    await page.goto('/tickets');
    await page.waitForURL('**/sign-in?back=*');
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

  test('offers a picker at sign-in, in the header and under /firms', async () => {
    const [first, second] = await twoFirms();
    const { email } = await createMember(app, [first, second]);
    const { page } = await app.agent({ isSignedOut: true });
    const expectAccessibleInBothThemes = async () => {
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await expectContrast(page);
      await page.emulateMedia({ colorScheme: 'light' });
    };
    await page.goto('/notifications');
    await signIn(page, email);
    await page.getByText('Choose the one to open').waitFor();
    await expectAccessibleInBothThemes();
    await page.getByRole('button', { name: second.name }).click();
    await page.waitForURL(`**/firms/${second.slug}/notifications`);
    await page.getByRole('button', { name: /switch firm/ }).click();
    await page.getByRole('menuitemcheckbox', { name: first.name }).waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`/firms/${app.firm.slug}/tickets`);
    await page.getByText(`You aren’t signed in to the firm “${app.firm.slug}”.`).waitFor();
    expect(await page.getByRole('button', { name: app.firm.name }).count()).toBe(0);
    await expectAccessibleInBothThemes();
    await page.getByRole('button', { name: first.name }).click();
    await page.getByText(`In ${first.slug}`).first().waitFor();
    await page.goto('/firms');
    await page.getByRole('button', { name: second.name }).waitFor();
  });

  test('never redirects to another site after sign-in, in any spelling of its URL', async () => {
    const [first, second] = await twoFirms();
    const { email } = await createStaff(app.services, [first, second], PASSWORD);
    const { page, context } = await app.agent({ isSignedOut: true });
    await context.route('http://elsewhere.example/**', (route) => route.fulfill({ body: 'Elsewhere' }));
    for (const back of [
      'http://elsewhere.example/',
      '//elsewhere.example/',
      '/\\elsewhere.example/',
      '/\t/elsewhere.example/',
      '/.//elsewhere.example/',
    ]) {
      await context.clearCookies();
      await page.goto(`/sign-in?back=${encodeURIComponent(back)}`);
      await signIn(page, email);
      await page.getByRole('button', { name: first.name }).or(page.getByText('Elsewhere')).waitFor();
      expect(new URL(page.url()).origin, JSON.stringify(back)).toBe(app.url);
    }
  });

  test('shows staff the firm picker instead of a firm that they cannot access', async () => {
    const [first, second] = await twoFirms();
    const { email } = await createStaff(app.services, [first, second], PASSWORD);
    const { page } = await app.agent({ isSignedOut: true });
    await page.goto('/tickets');
    await signIn(page, email);
    await page.getByRole('button', { name: second.name }).waitFor();
    for (const slug of [app.firm.slug, 'no-such-firm']) {
      await page.goto(`/firms/${slug}/settings/assistant`);
      await page.getByText(`You don’t have access to the firm “${slug}”.`).waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      await page.getByRole('button', { name: first.name }).click();
      // Once in a session.
      if (slug === app.firm.slug) await giveReason(page);
      await page.getByText(`In ${first.slug}`).first().waitFor();
    }
  });
});
