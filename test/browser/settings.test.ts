import { request } from '@firmdesk/testing/gateway';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, phone } from './accessibility.ts';
import { type ConsoleUnderTest, callFrom, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

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
    await page.getByRole('option', { name: 'Password and sign-in Settings' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/sign-in');
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
    await selectValue(leaving.getByRole('combobox', { name: 'Give the open tickets to' }), 'Ada Able');
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

  test('are tables, sorted by a heading, filtered, and walked by arrow keys, also over the fields in them', async () => {
    for (const name of ['Wanda Walker', 'Will Walker']) await app.agent({ name });
    const { page } = await app.agent({ name: 'Wendy Walker' });
    await page.goto('/settings/assignment');
    await page.getByText('No teams yet').waitFor();
    await page.getByRole('searchbox', { name: 'Filter: Agents, by name' }).fill('walker');
    const agents = page.getByRole('grid', { name: 'Agents, by name' });
    const heading = agents.getByRole('button', { name: 'Agent', exact: true });
    await heading.click();
    await heading.click();
    await expect
      .poll(() => agents.getByRole('rowheader').allTextContents())
      .toEqual(['Will', 'Wendy', 'Wanda'].map((name) => expect.stringContaining(`${name} Walker`)));
    const limit = (name: string) => agents.getByRole('textbox', { name: `Limit of ${name} Walker` });
    const hasFocus = (name: string) =>
      expect
        .poll(() => limit(name).evaluate((field) => field === document.activeElement), {
          message: `${name} has the focus`,
        })
        .toBe(true);
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
    await hasFocus('Will');
    // A field keeps the keys that move in its text.
    for (const key of ['1', '2', 'ArrowLeft', '0']) await page.keyboard.press(key);
    expect(await limit('Will').inputValue()).toBe('102');
    await page.keyboard.press('ArrowDown');
    await hasFocus('Wendy');
    await page.keyboard.press('ArrowUp');
    await hasFocus('Will');
    expect(await limit('Will').inputValue()).toBe('102');
  });

  test('search and sort lists that are loaded page by page in the service', async () => {
    await app.services.pool.query(
      `with people as (
         insert into users (id, email, name, created_at)
         select 'usr_paged' || lpad(n::text, 4, '0'), 'paged' || n || '@traders.example',
           case n when 1 then 'Éva First' else 'Paged ' || lpad(n::text, 4, '0') end, now()
         from generate_series(1, 60) n returning id)
       insert into memberships (workspace_id, user_id, role, created_at)
       select $1, id, 'trader', now() + row_number() over (order by id) * interval '1 second' from people`,
      [app.firm.id],
    );
    const { page, context } = await app.agent();
    await page.goto('/settings/members');
    const traders = page.getByRole('region', { name: 'Traders' });
    const field = traders.getByRole('searchbox', { name: 'Search traders' });
    const names = () => traders.getByRole('rowheader').locator('span:first-child').allTextContents();
    await expect.poll(async () => (await names())[0]).toBe('Paged 0060');
    expect(await names()).not.toContain('Éva First');
    // She is on no page that is loaded.
    await field.fill('eva traders.example');
    await expect.poll(names).toEqual(['Éva First']);
    await field.fill('nobody');
    await traders.getByText('No trader matches “nobody”').waitFor();
    await field.fill('paged');
    const heading = traders.getByRole('button', { name: 'Trader', exact: true });
    await heading.click();
    await expect.poll(async () => (await names())[0]).toBe('Éva First');
    await heading.click();
    await expect.poll(async () => (await names())[0]).toBe('Paged 0060');
    await traders
      .getByRole('columnheader', { name: 'Trader' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();

    const endpoint = { url: 'https://hooks.example/', events: ['ticket.created'] };
    await callFrom(context, app.url, app.firm.slug, 'firm.webhooks.create', endpoint);
    await page.goto('/settings/webhooks');
    const search = page.getByRole('searchbox', { name: 'Search', exact: true });
    await search.fill('Ticket 404');
    await page.getByText('No delivery matches “Ticket 404”').waitFor();
    await page.reload();
    expect(await search.inputValue()).toBe('Ticket 404');
    await search.fill('');
    await page.getByText('Events of the last seven days are listed here.').waitFor();
  });

  test('create an API key whose secret is shown once, rotate it with an overlap, and revoke it', async () => {
    const { page } = await app.agent({ viewport: { width: 1440, height: 900 } });
    await page.goto('/settings/keys');
    await page.getByText('No API keys yet').waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Reports');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Choose at least one scope.').waitFor();
    await dialog.getByRole('checkbox', { name: 'admin:read' }).check();
    await expectAccessibleInBothThemes(page, 'new-key-1440', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secretDialog = page.getByRole('dialog', { name: 'Copy the key now' });
    const secret = async () => (await secretDialog.locator('code').textContent())!;
    const statusOf = async (token: string) => (await request(app.url, 'GET /v1/ping', { token })).status;
    const first = await secret();
    expect(await statusOf(first)).toBe(200);
    await secretDialog.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Reports' });
    await expectAccessibleInBothThemes(page, 'keys-1440');
    const choose = async (name: string) => {
      await row.getByRole('button', { name: 'Actions of Reports' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rotate…');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const second = await secret();
    expect(second).not.toBe(first);
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    await secretDialog.getByRole('button', { name: 'Done' }).click();
    await row.getByText('The last secret works until').waitFor();
    await page.setViewportSize(phone);
    await page.keyboard.press('Escape');
    await expectAccessibleInBothThemes(page, 'keys-390');
    await choose('Revoke…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys yet').waitFor();
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 401]);
  });

  test('teach the assistant an article and rules, try it on a past ticket, and see the article at a reply', async () => {
    const agent = await app.agent({ viewport: { width: 1440, height: 900 } });
    const { page } = agent;
    await page.goto('/settings/assistant');
    await page.getByText('No articles yet').waitFor();
    await page.getByRole('button', { name: 'New article' }).click();
    const dialog = page.getByRole('dialog', { name: 'New article' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Payout times');
    await dialog.getByRole('textbox', { name: 'Text' }).fill('A payout takes **three** days.');
    await expectAccessibleInBothThemes(page, 'new-article-1440', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('rowheader', { name: 'Payout times' }).waitFor();
    const rules = page.getByRole('region', { name: 'Tone and rules' });
    await rules.getByRole('textbox', { name: 'Tone and rules' }).fill('Be formal.');
    await rules.getByRole('textbox', { name: 'Languages' }).fill('x1, de');
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await rules.getByText(/language tag/).waitFor();
    await rules.getByRole('textbox', { name: 'Languages' }).fill('en, de');
    await rules.getByRole('textbox', { name: /one of these/ }).fill('lawyer');
    await rules.getByRole('checkbox', { name: 'Priority urgent' }).check();
    await rules.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('Rules saved').waitFor();
    const ticket = await app.ticket({ messages: [{ body: 'When do I get my payout?' }] });
    const trial = page.getByRole('region', { name: 'Try it' });
    const field = trial.getByRole('textbox', { name: 'Ticket' });
    await field.fill('#none');
    await trial.getByRole('button', { name: 'Try' }).click();
    await trial.getByText('Enter the number of a ticket').waitFor();
    await field.fill(`#${ticket.slice(-6)}`);
    await trial.getByRole('button', { name: 'Try' }).click();
    await trial.getByText('Based on: Payout times').waitFor();
    await page.getByText('Use by day').click();
    await expectAccessibleInBothThemes(page, 'assistant-settings-1440');
    await app.call(agent, 'tickets.askAssistant', { ticket, instruction: 'Say when.' });
    await page.goto(`/tickets/${ticket}`);
    await page.getByText('Based on: Payout times').waitFor();
  });

  test('show in the audit log who changed what, filtered, with a link to the object, and export it', async () => {
    const { page, ...ada } = await app.agent({ name: 'Alma Audit', viewport: { width: 1440, height: 900 } });
    const { id } = await app.agent({ name: 'Carl Case', permissions: ['view_tickets'] });
    await app.call(ada, 'firm.members.update', { id, permissions: ['view_tickets', 'view_risk'] });
    const { id: tag } = await app.call(ada, 'firm.tags.create', { name: 'Refund', color: '#c2410c' });
    await page.goto('/settings/audit');
    const entries = page.getByRole('list', { name: 'Entries, newest first' }).getByRole('listitem');
    const entry = entries.filter({ hasText: 'User: permissions changed' }).filter({ hasText: 'Carl Case' });
    await entry.getByText('What was changed').click();
    await entry.getByText('view_risk').waitFor();
    await expectAccessibleInBothThemes(page, 'audit-1440');
    await page.setViewportSize(phone);
    await expectAccessibleInBothThemes(page, 'audit-390');
    await entry.getByRole('link', { name: 'Alma Audit' }).click();
    await page.waitForURL((url) => url.searchParams.get('person') === ada.id);
    await selectValue(page.getByRole('combobox', { name: 'Kind' }), 'Macros');
    await page.getByText('No entries').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await entry.waitFor();
    await selectValue(page.getByRole('combobox', { name: 'Person' }), 'Carl Case');
    await entry.waitFor({ state: 'hidden' });
    await selectValue(page.getByRole('combobox', { name: 'Person' }), 'Alma Audit');
    await entry.waitFor();
    // The object is named, and opened at its row.
    await entries.filter({ hasText: 'Tag: created' }).getByRole('link', { name: 'Refund' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Refund' });
    await expect.poll(() => row.evaluate((each) => each.contains(document.activeElement))).toBe(true);
    expect(new URL(page.url()).hash).toBe(`#${tag}`);
    await page.goBack();
    await entry.waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`audit-${app.firm.slug}.csv`);
    await entry.getByRole('link', { name: 'Carl Case' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
  });

  test('open above the page on a phone, and without permissions are those of the account', async () => {
    const { page } = await app.agent({ viewport: phone, permissions: [] });
    await page.goto('/mail');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Account settings', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'All settings' }).click();
    const list = page.getByRole('navigation', { name: 'Settings' });
    await list.getByRole('link', { name: 'Notifications' }).waitFor();
    await expectAccessibleInBothThemes(page, 'settings-390');
    expect(await list.getByRole('link', { name: 'SLA' }).count()).toBe(0);
    await page.goto('/settings/members');
    await page.getByText('You can’t open this page').waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await page.getByRole('button', { name: 'All settings' }).click();
    await list.getByRole('link', { name: 'Password' }).click();
    await list.waitFor({ state: 'hidden' });
    await page.waitForURL('**/account/sign-in');
  });
});
