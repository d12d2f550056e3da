import { readFile } from 'node:fs/promises';
import { createTag, createTeam, createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import {
  type ConsoleUnderTest,
  describeInBrowser,
  holdNext,
  openConsole,
  openTicket,
  QUESTION,
} from './browser.ts';
import { fieldText } from './case-list.ts';
import { openSecondDevice } from './second-device.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('macros', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
    await createTag(app.services, { firm: app.firm, name: 'refund' });
    await createTeam(app.services, { firm: app.firm, name: 'Payments' });
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates the only macro of the firm, for a test that does not create it in the settings. */
  const createMacro = async () => {
    const { rows } = await app.services.pool.query<{ id: number }>(
      `select id from tags where workspace_id = $1 and name = 'refund'`,
      [app.firm.id],
    );
    const texts = [
      { language: 'en', text: 'Hello {{trader.first_name}},\n\nyour payout was sent.' },
      { language: 'de', text: 'Hallo {{trader.first_name}}, Ihre Auszahlung ist unterwegs.' },
    ];
    await app.services.pool.query('delete from macros where workspace_id = $1', [app.firm.id]);
    await app.services.pool.query(
      `insert into macros (workspace_id, id, position, name, name_key, texts, tag_ids, status, priority, assigns_author, created_at)
       values ($1, 'mac_payout', 1, 'Payout sent', 'payout sent', $2, $3, 'resolved', 'high', false, now())`,
      [app.firm.id, JSON.stringify(texts), rows.map(({ id }) => id)],
    );
  };

  const picker = (page: Page) => page.getByRole('dialog', { name: 'Insert a macro' });
  const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('are created, corrected, ordered, exported, imported and deleted in the settings', async () => {
    const { page } = await app.agent({ name: 'Ada Able', colorScheme: 'dark' });
    const { page: colleague } = await app.agent({ name: 'Ben Best', viewport: { width: 390, height: 844 } });
    for (const each of [page, colleague]) {
      await each.goto('/settings/macros');
      await each.getByText('No macros yet').waitFor();
    }
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'New macro' }).click();
    await dialog.getByLabel('Name').fill('Payout sent');
    await dialog.getByLabel('Text in en').fill('Hello {{trader.frist_name}},\n\nyour payout was sent.');
    await selectValue(dialog.getByLabel('Status'), 'Resolved');
    await selectValue(dialog.getByLabel('Priority'), 'High');
    await dialog.getByLabel('refund').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('unknown variable "{{trader.frist_name}}"').waitFor();
    await expectAccessible(page);
    // A closed dialog keeps what was typed.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'New macro' }).click();
    const text = dialog.getByLabel('Text in en');
    await text.fill('Hello ,\n\nyour payout was sent.');
    await text.press('Control+Home');
    for (let at = 0; at < 'Hello '.length; at++) await text.press('ArrowRight');
    await dialog.getByRole('button', { name: 'Insert trader.first_name' }).click();
    expect(await text.inputValue()).toBe('Hello {{trader.first_name}},\n\nyour payout was sent.');
    await dialog.getByRole('region', { name: 'Preview' }).getByText('Hello Alex,').waitFor();
    await dialog.getByRole('button', { name: 'Add a language' }).click();
    await dialog.getByLabel('Language').nth(1).fill('de');
    await dialog.getByLabel('Text in de').fill('Hallo {{trader.first_name}}, Ihre Auszahlung ist unterwegs.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'Payout sent').getByText('Tag “refund” · Status: Resolved · Priority: High').waitFor();
    // A colleague sees it without a reload.
    await row(colleague, 'Payout sent').waitFor();
    await expectAccessible(colleague);

    // A colleague's change of another field meanwhile is not overwritten.
    await page.getByRole('button', { name: 'Actions of Payout sent' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Text in de').fill('Hallo {{trader.first_name}}, die Auszahlung ist unterwegs.');
    await colleague.getByRole('button', { name: 'Actions of Payout sent' }).click();
    await colleague.getByRole('menuitem', { name: 'Edit' }).click();
    await selectValue(colleague.getByRole('dialog').getByLabel('Priority'), 'Urgent');
    await colleague.getByRole('button', { name: 'Save' }).click();
    await colleague.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => dialog.getByLabel('Priority').textContent()).toBe('Urgent');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'Payout sent').getByText('Tag “refund” · Status: Resolved · Priority: Urgent').waitFor();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const exported = JSON.parse(await readFile(await (await download).path(), 'utf8'));
    expect(exported).toMatchObject({ format: 'firmdesk-macros', version: 1 });
    const choose = async (content: object) => {
      const buffer = Buffer.from(JSON.stringify(content));
      await page
        .getByLabel('File of macros')
        .setInputFiles({ name: 'macros.json', mimeType: 'application/json', buffer });
    };
    const [macro] = exported.macros;
    await choose({ ...exported, macros: [{ ...macro, name: 'Other', team: 'Nobody' }] });
    await page.getByRole('alert').getByText('"macros[0].team" must be the name of a team').waitFor();
    await choose({ ...exported, macros: [macro, { ...macro, name: 'Delay', team: 'Payments' }] });
    await row(page, 'Delay').getByText('Payments').waitFor();

    await page.getByRole('button', { name: 'Actions of Delay' }).click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    await expect
      .poll(() => page.getByRole('rowheader').allTextContents())
      .toEqual([expect.stringContaining('Delay'), expect.stringContaining('Payout sent')]);
    await page.getByRole('button', { name: 'Actions of Delay' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row(colleague, 'Delay').waitFor({ state: 'detached' });
  });

  test('that are saved late leave another dialog open', async () => {
    await createMacro();
    const { page } = await app.agent();
    await page.goto('/settings/macros');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Actions of Payout sent' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Payout on its way');
    const { asked, release } = await holdNext(page, 'macros.update');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await asked;
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'New macro' }).click();
    await dialog.getByLabel('Name').fill('Another one');
    release();
    // The table behind the dialog is hidden from assistive technology.
    await page.locator('tr', { hasText: 'Payout on its way' }).waitFor();
    expect(await dialog.getByLabel('Name').evaluate(fieldText)).toBe('Another one');
    await dialog.getByLabel('Text in en').fill('Hello.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await row(page, 'Another one').waitFor();
  });

  test('say that it is not known whether a file was imported, and show those that were', async () => {
    await createMacro();
    const { page } = await app.agent();
    await page.goto('/settings/macros');
    await row(page, 'Payout sent').waitFor();
    await page.route(/trpc\/macros\.import/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    const macro = { name: 'Delay', texts: [{ language: 'en', text: 'It takes longer.' }] };
    const buffer = Buffer.from(JSON.stringify({ format: 'firmdesk-macros', version: 1, macros: [macro] }));
    await page
      .getByLabel('File of macros')
      .setInputFiles({ name: 'macros.json', mimeType: 'application/json', buffer });
    const alert = page.getByRole('alert');
    await alert
      .getByText(/^It is not known whether “macros\.json” was imported: .* Import it again\./)
      .waitFor();
    await row(page, 'Delay').waitFor();
    await page.unroute(/trpc\/macros\.import/);
    await page
      .getByLabel('File of macros')
      .setInputFiles({ name: 'macros.json', mimeType: 'application/json', buffer });
    await page.getByText('Macros imported: 0 new, 1 replaced').waitFor();
    await alert.waitFor({ state: 'detached' });
  });

  test('are inserted in the trader’s language, and change the ticket with the reply, which can be undone', async () => {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Jana Roth' });
    await app.services.pool.query(`update users set language = 'de' where id = $1`, [trader.id]);
    await createMacro();
    const ticket = await app.ticket({ trader, messages: [{ body: QUESTION }] });
    const { page } = await app.agent({ name: 'Ada Able' });
    const code = Promise.withResolvers<void>();
    await page.route(/macro-picker/, async (route) => {
      await code.promise;
      await route.continue();
    });
    await openTicket(page, ticket);
    // Keys that follow at once are typed into the picker, also if its code takes five seconds to load.
    await page.keyboard.press(';');
    await page.keyboard.type('ausz');
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      performance.now = () => now() + 5_000;
    });
    code.resolve();
    await picker(page).getByText('Hallo Jana, Ihre Auszahlung ist unterwegs.').waitFor();
    const search = picker(page).getByRole('combobox').first();
    expect(await search.evaluate(fieldText)).toBe('ausz');
    await expectAccessible(page);
    await search.fill('no such macro');
    await picker(page).getByText('No results').waitFor();
    await expectAccessible(page);
    await search.fill('ausz');
    await picker(page).getByText('Hallo Jana, Ihre Auszahlung ist unterwegs.').waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => reply(page).evaluate(fieldText))
      .toBe('Hallo Jana, Ihre Auszahlung ist unterwegs.');
    await page.keyboard.type(' Danke!');

    // In the text box, at the caret, and in another language.
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+;');
    await selectValue(picker(page).getByLabel('Language'), 'English');
    // The list in the other language may come later.
    await picker(page)
      .getByRole('option', { name: /Payout sent/ })
      .filter({ hasText: 'your payout was sent' })
      .click();
    await expect
      .poll(() => reply(page).evaluate(fieldText))
      .toBe('Hello Jana,\n\nyour payout was sent.Hallo Jana, Ihre Auszahlung ist unterwegs. Danke!');
    await page.getByRole('button', { name: 'Leave out: Priority: High' }).click();
    await page.getByRole('button', { name: 'Leave out: Status: Resolved' }).waitFor();
    await expectAccessible(page);
    await reply(page).press('Control+Enter');
    const stored = async () => {
      const { rows } = await app.services.pool.query(
        `select status, priority, (select count(*)::int from ticket_tags where workspace_id = $1 and ticket_id = t.id) as tags,
           (select sum(used)::int from macros where workspace_id = $1) as used
         from tickets t where workspace_id = $1 and id = $2`,
        [app.firm.id, ticket],
      );
      return rows[0];
    };
    await page.getByText(/: resolved, tags changed. Your reply stays sent$/).waitFor();
    expect(await stored()).toEqual({ status: 'resolved', priority: 'normal', tags: 1, used: 1 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(stored, { timeout: 30_000 })
      .toEqual({ status: 'awaiting_trader', priority: 'normal', tags: 0, used: 1 });
    await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('Danke!').waitFor();
    expect(await reply(page).evaluate(fieldText)).toBe('');
  });

  test('are in the draft on another device, with what they change', async () => {
    await createMacro();
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const agent = await app.agent({ name: 'Mary Macro' });
    const used = async () =>
      (
        await app.services.pool.query<{ used: number }>(
          'select sum(used)::integer as used from macros where workspace_id = $1',
          [app.firm.id],
        )
      ).rows[0]!.used;
    const usedBefore = await used();
    const { page } = agent;
    const leaveOut = (of: Page, change: string) => of.getByRole('button', { name: `Leave out: ${change}` });
    await openTicket(page, ticket);
    await page.getByRole('button', { name: 'Insert a macro' }).click();
    await picker(page).getByText('Hello Tess,').first().waitFor();
    await page.keyboard.press('Enter');
    await leaveOut(page, 'Status: Resolved').waitFor();
    const second = await openSecondDevice(app, agent);
    await openTicket(second, ticket);
    await expect.poll(() => reply(second).evaluate(fieldText)).toContain('Hello Tess,');
    await leaveOut(second, 'Status: Resolved').waitFor();
    // A change that is left out is left out on each device.
    await leaveOut(second, 'Priority: High').click();
    await leaveOut(page, 'Priority: High').waitFor({ state: 'detached' });
    await reply(second).press('Control+Enter');
    await second.getByText(/: resolved, tags changed. Your reply stays sent$/).waitFor();
    const { rows } = await app.services.pool.query(
      'select status, priority from tickets where workspace_id = $1 and id = $2',
      [app.firm.id, ticket],
    );
    expect(rows).toEqual([{ status: 'resolved', priority: 'normal' }]);
    expect(await used()).toBe(usedBefore + 1);
  });

  test('say before sending that a variable has no value', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await reply(page).fill('Dear {{trader.name}}, it was sent.');
    await page.getByText('{{trader.name}} has no value here. Replace it before you send.').waitFor();
    expect(await page.getByRole('button', { name: 'Send reply' }).isDisabled()).toBe(true);
    await reply(page).fill('Dear Tess, it was sent.');
    await reply(page).press('Control+Enter');
    await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('Dear Tess').waitFor();
  });

  test('that change the ticket of a delayed send change nothing if it is undone', async () => {
    await createMacro();
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent({ delaysSends: true });
    await openTicket(page, ticket);
    await page.getByRole('button', { name: 'Insert a macro' }).click();
    await picker(page).getByText('Hello Tess,').first().waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => reply(page).evaluate(fieldText)).toContain('Hello Tess,');
    await app.withoutWorker(async () => {
      await reply(page).press('Control+Enter');
      await page.getByRole('article', { name: 'Your reply, being sent' }).waitFor();
      await reply(page).press('Escape');
      await page.keyboard.press('z');
      await expect.poll(() => reply(page).evaluate(fieldText)).toContain('Hello Tess,');
      // The changes are back in the draft.
      await page.getByRole('button', { name: 'Leave out: Status: Resolved' }).waitFor();
    });
    const { rows } = await app.services.pool.query(
      'select status from tickets where workspace_id = $1 and id = $2',
      [app.firm.id, ticket],
    );
    expect(rows).toEqual([{ status: 'awaiting_admin' }]);
  });
});
