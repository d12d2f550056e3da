import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('the settings', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('are found in their list, by a search and in the command menu, and each has a link', async () => {
    const { page } = await app.agent();
    await page.goto('/settings/assistant');
    const list = page.getByRole('navigation', { name: 'Settings' });
    await list.getByRole('link', { name: 'SLA' }).click();
    await page.getByRole('heading', { name: 'SLA', level: 1 }).waitFor();
    await expectAccessibleInBothThemes(page, 'settings-1440');
    await list.getByRole('searchbox', { name: 'Search settings' }).fill('dark');
    await expect.poll(() => list.getByRole('link').allTextContents()).toEqual(['This browser']);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/sessions#browser');
    await page.getByRole('heading', { name: 'This browser' }).waitFor();
    await list.getByRole('searchbox').fill('nothing like it');
    await list.getByText('No settings match.').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('password');
    await page.getByRole('option', { name: 'Password Settings' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/sessions#password');
  });

  test('show members with what they may do, change it, and dismiss one whose tickets go to a colleague', async () => {
    const [ada, ben] = await Promise.all([
      app.agent({ name: 'Ada Able', viewport: { width: 1440, height: 900 } }),
      app.agent({ name: 'Ben Best', permissions: ['view_tickets', 'manage_tickets'] }),
    ]);
    const ticket = await app.ticket({ subject: 'Payout of Ben', assignee: ben });
    const { page } = ada;
    await ben.page.goto('/tickets');
    await ben.page.getByRole('listbox', { name: 'Tickets' }).waitFor();
    await page.goto('/settings/members');
    const row = page.getByRole('row').filter({ hasText: 'Ben Best' });
    await row.getByText('Agent').waitFor();
    await page.getByRole('region', { name: 'Traders' }).getByText('Tess Trader').waitFor();
    await expectAccessibleInBothThemes(page, 'members-1440');
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'Actions of Ben Best' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Change permissions…');
    const dialog = page.getByRole('dialog', { name: 'Permissions of Ben Best' });
    await dialog.getByRole('button', { name: 'Lead' }).click();
    await dialog.getByRole('checkbox', { name: 'View the audit log' }).check();
    await expectAccessibleInBothThemes(page, 'permissions-1440', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('6 permissions').waitFor();

    await page.setViewportSize(phone);
    // Closes the tooltip of the button that has the focus back.
    await page.keyboard.press('Escape');
    await expectAccessibleInBothThemes(page, 'members-390');
    await choose('Dismiss…');
    const leaving = page.getByRole('dialog', { name: 'Dismiss Ben Best?' });
    await leaving.getByText('1 session is signed out.').waitFor();
    await leaving.getByText('1 open ticket is assigned to this person.').waitFor();
    await leaving.getByRole('combobox', { name: 'Give the open tickets to' }).selectOption('Ada Able');
    await expectAccessibleInBothThemes(page, 'dismiss-390', '[role=dialog]');
    await leaving.getByRole('button', { name: 'Dismiss' }).click();
    await row.getByText('Dismissed').waitFor();
    await ben.page.waitForURL('**/sign-in**');
    const assignee = async () =>
      (await app.services.pool.query('select assignee_id from tickets where id = $1', [ticket])).rows[0]
        .assignee_id;
    await expect.poll(assignee, { timeout: 20_000 }).toBe(ada.id);
    await choose('Readmit');
    await row.getByText('6 permissions').waitFor();
  });

  test('open above the page on a phone, and without permissions are those of the account', async () => {
    const { page } = await app.agent({ viewport: phone, permissions: [] });
    await page.goto('/mail');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'All settings' }).click();
    const list = page.getByRole('navigation', { name: 'Settings' });
    await list.getByRole('link', { name: 'Push devices' }).waitFor();
    await expectAccessibleInBothThemes(page, 'settings-390');
    expect(await list.getByRole('link', { name: 'SLA' }).count()).toBe(0);
    await list.getByRole('link', { name: 'Password' }).click();
    await list.waitFor({ state: 'hidden' });
    await page.waitForURL('**/account/sessions#password');
  });
});
