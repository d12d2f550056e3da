import { readFile } from 'node:fs/promises';
import { exportFirm } from '@firmdesk/seed';
import { createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const desktop = { width: 1440, height: 900 };

describeInBrowser('stored data', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    app.services.exportFirm = exportFirm;
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Downloads the only file that a list offers, and returns its text. */
  const download = async (page: Page, name: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  };

  test('a trader is exported from the ticket, and erased from the list of people with a report', async () => {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Tam Trader' });
    const ticket = await app.ticket({ trader, messages: [{ body: 'Where is my payout?' }] });
    await app.services.pool.query(
      'update ticket_messages set author_id = $3 where workspace_id = $1 and ticket_id = $2',
      [app.firm.id, ticket, trader.id],
    );
    const { page } = await app.agent({ viewport: desktop });
    await page.goto(`/tickets/${ticket}`);
    await page.getByRole('button', { name: 'Export or erase data…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Data of Tam Trader' });
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByText('Done').waitFor();
    await expectAccessibleInBothThemes(page, 'person-data-1440', '[role=dialog]');
    expect(await download(page, 'Download the Tam Trader')).toContain('Where is my payout?');
    await page.keyboard.press('Escape');

    await page.goto('/settings/members');
    await page.getByRole('button', { name: 'Data of Tam Trader', exact: true }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const erase = page.getByRole('dialog', { name: 'Erase Tam Trader?' });
    await erase.getByText('Tickets: 1').waitFor();
    const submit = erase.getByRole('button', { name: 'Erase' });
    expect(await submit.isDisabled()).toBe(true);
    await expectAccessibleInBothThemes(page, 'erase-1440', '[role=dialog]');
    await page.setViewportSize(phone);
    await expectAccessibleInBothThemes(page, 'erase-390', '[role=dialog]');
    await erase.getByRole('textbox').fill(trader.email);
    await submit.click();
    const report = page.getByRole('grid', { name: 'Exports and erasures of people' });
    await report.getByText('Erasure of Former user').waitFor();
    await report.getByText('What was deleted or changed').click();
    await report.getByText('Account: 1').waitFor();
    await expectAccessibleInBothThemes(page, 'erased-390');
    await expect.poll(() => page.getByText('Tam Trader').count()).toBe(0);
    await page.setViewportSize(desktop);
    await page.goto(`/tickets/${ticket}`);
    await page.getByText('Account deleted', { exact: true }).waitFor();
    expect(await page.getByText('Tam Trader').count()).toBe(0);
  });

  test('the firm is exported; its deletion is asked for with its name, shown to those who can cancel it, and cancelled by one', async () => {
    const [ada, ben, cleo] = await Promise.all([
      app.agent({ name: 'Ada Able', viewport: desktop }),
      app.agent({ name: 'Ben Best', permissions: ['manage_settings'], viewport: phone }),
      app.agent({ name: 'Cleo Cole', permissions: ['view_tickets'] }),
    ]);
    const { page } = ada;
    await page.goto('/settings/data');
    await page.getByText('No exports or erasures yet').waitFor();
    await page.getByRole('button', { name: 'Export the firm' }).click();
    await page.getByRole('grid', { name: 'Exports of the firm' }).getByText('Done').waitFor();
    // The session is no longer fresh: the console asks for the password first.
    const waitAnHour = () =>
      app.services.pool.query(`update tokens set verified_at = now() - interval '1 hour'`);
    await waitAnHour();
    const downloaded = download(page, 'Download the firm');
    await page.getByLabel('Password').fill(ada.password);
    await page.keyboard.press('Enter');
    expect(JSON.parse(await downloaded)).toMatchObject({ firms: [{ slug: app.firm.slug }] });

    const [{ name }] = (
      await app.services.pool.query('select name from workspaces where id = $1', [app.firm.id])
    ).rows;
    await waitAnHour();
    await page.getByRole('button', { name: 'Delete the firm…' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    const submit = dialog.getByRole('button', { name: 'Delete in 7 days' });
    await dialog.getByRole('textbox').fill('Another firm');
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(name);
    await expectAccessibleInBothThemes(page, 'delete-firm-1440', '[role=dialog]');
    await submit.click();
    await page.getByLabel('Password').fill(ada.password);
    await page.keyboard.press('Enter');
    const banner = (of: Page) => of.getByRole('region', { name: 'Deletion of the firm' });
    await banner(page).waitFor();
    await page.getByText('Ada Able has asked to delete this firm.').waitFor();
    await expectAccessibleInBothThemes(page, 'deletion-1440');

    await cleo.page.goto('/tickets');
    await cleo.page.getByRole('heading').first().waitFor({ state: 'attached' });
    expect(await banner(cleo.page).count()).toBe(0);
    await ben.page.goto('/notifications');
    await ben.page.getByRole('region', { name: 'Deletion of the firm' }).waitFor();
    await banner(ben.page).getByRole('link', { name: 'Show or cancel' }).click();
    await ben.page.getByRole('heading', { name: 'Data', level: 1 }).waitFor();
    await expectAccessibleInBothThemes(ben.page, 'deletion-390');
    await ben.page.getByRole('button', { name: 'Cancel the deletion' }).click();
    await ben.page.getByText('Only who holds every permission may ask for it.').waitFor();
    expect(await ben.page.getByRole('button', { name: 'Delete the firm…' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete the firm…' }).waitFor();
    await expect.poll(() => banner(page).count()).toBe(0);
  });
});
