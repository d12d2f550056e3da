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
