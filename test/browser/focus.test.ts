import { request } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { createManyTickets } from './create-many-tickets.ts';

const phone = { width: 390, height: 844 };

describeInBrowser('focus, menus and places', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('reaches the end of a long list with End', async () => {
    const trader = await createManyTickets(app, 1200, 'zy');
    const { page } = await app.agent();
    await page.goto(`/tickets?q=${trader.id}&sort=-created_at`);
    await page.getByRole('option').first().waitFor();
    await page.getByRole('listbox', { name: 'Tickets' }).focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: /^Case 1200\b/, level: 1 }).waitFor();
  });

  test('goes to the next row, the previous one or the heading when a row is removed', async () => {
    const agent = await app.agent();
    const { page } = agent;
    const focused = () =>
      page.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
      );
    const confirm = (name: string) => page.getByRole('alertdialog').getByRole('button', { name }).click();

    for (const name of ['One', 'Two', 'Three']) {
      const texts = [{ language: 'en', text: 'Hello.' }];
      await app.call(agent, 'macros.create', { name, texts });
    }
    await page.goto('/settings/macros');
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions of ${name}` }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await confirm('Delete');
      await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' });
    };
    await remove('Two');
    await expect.poll(focused).toBe('Actions of Three');
    await remove('Three');
    await expect.poll(focused).toBe('Actions of One');
    await remove('One');
    await page.getByText('No macros yet').waitFor();
    await expect.poll(focused).toBe('Macros');

    for (const code of ['FIRST', 'SECOND'])
      await app.call(agent, 'affiliates.admin.preRegister', {
        email: `${code.toLowerCase()}@elsewhere.example`,
        referral_code: code,
        referral_url: 'https://firm.example/r',
      });
    await page.goto('/pre-registrations');
    const revoke = async (email: string) => {
      await page.getByRole('button', { name: `Actions of ${email}` }).click();
      await page.getByRole('menuitem', { name: 'Revoke…' }).click();
      await confirm('Revoke');
      await page.getByRole('row').filter({ hasText: email }).getByText('Revoked').waitFor();
    };
    await revoke('second@elsewhere.example');
    await expect.poll(focused).toBe('Actions of second@elsewhere.example');

    for (const name of ['Phone', 'Tablet']) {
      const body = { email: agent.email, password: agent.password, cookie: false, name };
      await request(app.url, 'POST /trpc/sessions.signIn', { body: { json: body } });
    }
    await page.goto('/account/sessions');
    const names = page.getByRole('button', { name: /^Sign out (Phone|Tablet)$/ });
    await expect.poll(() => names.count()).toBe(2);
    const [upper, lower] = await names.evaluateAll((all) =>
      all.map((each) => each.getAttribute('aria-label')!),
    );
    await page.getByRole('button', { name: upper!, exact: true }).press('Enter');
    await expect.poll(focused).toBe(lower);
    await page.keyboard.press('Enter');
    await expect.poll(focused).toBe('Sessions');
  });

  test('labels the navigation on a phone, with targets of at least 44 px, and opens the calendar with one day', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where is it?' }] });
    const { page } = await app.agent({ viewport: phone });
    await page.goto('/calendar');
    await page.getByRole('grid', { name: 'Day' }).waitFor();
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
      '/account/notifications',
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
