import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { createMailbox, createMailMessage } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { describeInBrowser } from './browser.ts';
import { fieldText } from './case-list.ts';
import { selectValue } from './select-value.ts';
import {
  beginWork,
  conversation,
  isLive,
  isOpen,
  LIST,
  openCase,
  reply,
  row,
  signIn,
  useWorkday,
} from './workday.ts';

/** Each step goes on where the one before it ended. `B9` is the ninth of the tools that agents need all day. */
describeInBrowser('the evening of two agents', () => {
  const day = useWorkday(['Payout', 'Second payout', 'Login', 'Invoice', 'Password', 'Address']);
  const { path } = day;
  let ada: Page;
  let ben: Page;
  beforeAll(async () => {
    [ada, ben] = [day.ada.page, day.ben.page];
    await beginWork(day);
  });

  const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });

  test('B2 a bulk change by keys and ranges is live for the colleague, reported and undone', async () => {
    for (const page of [ada, ben]) {
      await page.goto(path(LIST));
      await row(page, 'Address').waitFor();
    }
    const report = ada.getByRole('region', { name: 'Bulk change' });
    await ada.getByRole('listbox', { name: 'Tickets' }).focus();
    for (const key of ['End', 'x', 'K', 'K', 'p']) await ada.keyboard.press(key);
    await ada.getByRole('region', { name: 'Selected tickets' }).getByText('3 selected').waitFor();
    await ada.getByRole('menu', { name: 'Priority' }).waitFor();
    await expectAccessible(ada);
    await ada.getByRole('menuitem', { name: 'Urgent' }).click();
    await report.getByText('3 tickets changed').waitFor();
    for (const subject of ['Invoice', 'Password', 'Address'])
      await row(ben, subject).getByText('Urgent').waitFor();
    expect(await row(ben, 'Login').getByText('Urgent').count()).toBe(0);
    await expectAccessible(ada);
    await ada.keyboard.press('z');
    await ada.getByText('3 tickets changed back').waitFor();
    for (const subject of ['Invoice', 'Password', 'Address'])
      await row(ben, subject).getByText('Urgent').waitFor({ state: 'hidden' });
    await report.waitFor({ state: 'hidden' });
  });

  test('B12 a saved view is shared with a team, counted and live', async () => {
    await ada.goto(path('/tickets?q=payout'));
    await row(ada, 'Second payout').waitFor();
    await ada.getByRole('button', { name: 'Save view' }).click();
    const dialog = ada.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payouts');
    await selectValue(dialog.getByLabel('Visible to'), 'Team Payments');
    await dialog.getByRole('button', { name: 'Save' }).click();
    for (const page of [ada, ben])
      await views(page)
        .getByRole('link', { name: /Payouts.*2$/ })
        .waitFor();
    await views(ben).getByRole('link', { name: 'Payouts' }).click();
    await ben.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor();
    await row(ben, 'Second payout').waitFor();
  });

  test('B9 a ticket is marked as unread, linked and merged, and one is opened for a trader', async () => {
    await openCase(ada, day, 'Second payout');
    await ada.keyboard.press('U');
    const unread = async () =>
      (await day.rows('select unread from tickets where id = $1', day.ids['Second payout']))[0]!['unread'];
    await expect.poll(unread).toBe(1);
    await ada.getByText(/marked as unread$/).waitFor();
    await openCase(ada, day, 'Second payout');
    await expect.poll(unread).toBe(0);
    await openCase(ben, day, 'Second payout');
    await ada.keyboard.press('L');
    const picker = ada.getByRole('dialog', { name: /^Link #/ });
    await picker.getByRole('option', { name: /Login/ }).click();
    for (const page of [ada, ben])
      await page.getByRole('region', { name: 'Linked tickets' }).getByText('Login').waitFor();
    await reply(ben).fill('On Monday');
    await ada.keyboard.press('M');
    await ada
      .getByRole('dialog', { name: /^Merge #/ })
      .getByRole('option', { name: /^(?!.*Second).*Payout/ })
      .click();
    await ada.getByRole('alertdialog').getByRole('button', { name: 'Merge tickets' }).click();
    for (const page of [ada, ben]) {
      await isOpen(page, 'Payout');
      await conversation(page).getByText('About: Second payout').waitFor();
    }
    await expect.poll(() => reply(ben).evaluate(fieldText)).toBe('On Monday');
    await ada.keyboard.press('c');
    const opened = ada.getByRole('dialog', { name: 'New ticket' });
    await opened.getByLabel('Trader’s name or email').fill(day.app.trader.email);
    await opened.getByLabel('Subject').fill('Your documents');
    await opened.getByLabel('Message', { exact: true }).fill('Please upload them.');
    await opened.getByRole('button', { name: 'Open ticket' }).click();
    await ada.getByRole('heading', { level: 1, name: /^Your documents/ }).waitFor();
    await ada.getByRole('article', { name: 'Message, Ada Able' }).getByText('Please upload').waitFor();
  });

  test('B11 search operators fill the filters, matches are highlighted, and ↵ jumps to them', async () => {
    await ada.goto(path('/tickets'));
    await row(ada, 'Login').waitFor();
    await ada.keyboard.press('/');
    await ada.keyboard.type(`from:${day.app.trader.email} status:needs-reply "about: login"`);
    await ada.keyboard.press('Enter');
    const chips = ada.getByRole('list', { name: 'Filters' });
    await chips.getByText(`Trader: ${day.app.trader.email}`).waitFor();
    await chips.getByText('Status is Needs reply').waitFor();
    await row(ada, 'Invoice').waitFor({ state: 'detached' });
    await ada.getByRole('combobox', { name: 'Search tickets' }).press('Enter');
    await isOpen(ada, 'Login');
    const highlighted = () =>
      ada.evaluate(() => [...(CSS.highlights.get('search-match') ?? [])].map((range) => String(range)));
    // In the preview of its row, and in its conversation.
    await expect.poll(highlighted).toEqual(['About: Login', 'About: Login']);
    await ada.getByRole('combobox', { name: 'Search tickets' }).fill('');
    await ada.getByRole('group', { name: 'Recent searches' }).getByRole('option').first().waitFor();
  });

  test('B8 a ticket sleeps until its trader writes', async () => {
    await openCase(ada, day, 'Address');
    await ada.keyboard.press('h');
    await ada
      .getByRole('dialog', { name: /^Snooze #/ })
      .getByRole('button', { name: 'Until the trader writes' })
      .click();
    await expect
      .poll(() =>
        day.rows('select from tickets where id = $1 and snoozed_at is not null', day.ids['Address']),
      )
      .toHaveLength(1);
    await ada.goto(path(LIST));
    await row(ada, 'Login').waitFor();
    expect(await row(ada, 'Address').count()).toBe(0);
    await withTransaction(day.app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: day.app.firm.slug,
        ticket: day.ids['Address']!,
        from: day.app.trader.email,
        body: 'Any news?',
        via_email: false,
      }),
    );
    await ada.reload();
    await row(ada, 'Address').getByText('Back from snooze').waitFor({ state: 'attached' });
  });

  test('B8 the firm’s targets show what is overdue, until a reply meets them', async () => {
    await ada.goto(path('/settings/sla'));
    await ada.getByRole('textbox', { name: 'First response, Normal', exact: true }).fill('30m');
    await ada.getByRole('button', { name: 'Save' }).click();
    await ada.getByText('SLA saved').waitFor();
    await ada.goto(path(`${LIST}&due=breached`));
    const clock = row(ada, 'Invoice').getByText(/overdue by/);
    await clock.waitFor();
    await openCase(ben, day, 'Invoice');
    await reply(ben).fill('It is paid.');
    await ben.keyboard.press('Control+Enter');
    await clock.waitFor({ state: 'detached' });
  });

  test('B13 what the platform says about the trader is beside the conversation, with other tickets and mail', async () => {
    const { app } = day;
    const set = (over: object) => app.call(day.ada, 'traders.setProfile', { trader: app.trader.id, ...over });
    const fields = [
      { label: 'Number', value: '/number' },
      { label: 'Balance', value: '/balance', format: 'money', currency: '/currency' },
      { label: 'Funded', value: '/funded', format: 'flag' },
    ];
    await set({
      country: 'DE',
      language: 'pt-BR',
      timezone: 'Asia/Tokyo',
      verification: 'pending',
      data: {
        accounts: [
          { number: 'N-1', balance: '10250.50', currency: 'EUR', funded: true },
          { number: 'N-2', balance: 0, currency: 'USD', funded: false },
        ],
        admin: 'https://back.example/traders/7',
      },
      layout: [
        { title: 'Accounts', list: '/accounts', fields },
        { title: 'Elsewhere', fields: [{ label: 'Back office', value: '/admin', format: 'link' }] },
      ],
    });
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [day.ada] });
    const { id } = await createMailMessage(app.services, { mailbox });
    await day.rows('update mail_messages set from_email = $2 where id = $1', id, app.trader.email);
    await openCase(ada, day, 'Login');
    const details = ada.getByRole('complementary', { name: 'Trader and details' });
    const trader = details.getByRole('region', { name: 'Trader' });
    await trader.getByText('Verification pending').waitFor();
    for (const text of ['Germany', 'Brazilian Portuguese', '€10,250.50', 'US$0.00', 'Yes', 'No'])
      await trader.getByText(text, { exact: true }).waitFor();
    // The clock ticks every half minute.
    const [at, shown] = await trader
      .locator('dd time')
      .first()
      .evaluate((time) => [time.getAttribute('datetime')!, time.textContent]);
    const format = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const;
    expect(shown).toBe(new Intl.DateTimeFormat('en-GB', format).format(new Date(at!)));
    const link = trader.getByRole('link', { name: 'back.example/traders/7' });
    expect(await link.getAttribute('rel')).toContain('noopener');
    await details.getByRole('link', { name: /Invoice/ }).waitFor();
    await details.getByRole('link', { name: /Quarterly numbers/ }).waitFor();
    await expectAccessible(ada);
    await set({ verification: 'verified' });
    await trader.getByText('Verified', { exact: true }).waitFor();
    await trader.getByText('€10,250.50').waitFor({ state: 'detached' });
    await details.getByRole('link', { name: /Quarterly numbers/ }).click();
    await ada.getByRole('heading', { name: 'Quarterly numbers' }).first().waitFor();
  });

  test('B15 a draft is on the service, with a badge, on another device', async () => {
    await openCase(ada, day, 'Login');
    await reply(ada).fill('Dear Tess,');
    const badge = (page: Page) => row(page, 'Login').getByText('Draft', { exact: true });
    await badge(ada).waitFor();
    await expect
      .poll(() => day.rows('select text from reply_drafts where ticket_id = $1', day.ids['Login']))
      .toEqual([{ text: 'Dear Tess,' }]);
    const device = await ada
      .context()
      .browser()!
      .newContext({
        baseURL: day.app.url,
        storageState: { cookies: await ada.context().cookies(), origins: [] },
        serviceWorkers: 'block',
      });
    device.setDefaultTimeout(60_000);
    const other = await device.newPage();
    await openCase(other, day, 'Login');
    await badge(other).waitFor();
    await expect.poll(() => reply(other).evaluate(fieldText)).toBe('Dear Tess,');
    await device.close();
  });

  test('A13 has the words of the product, and names no font that it does not have', async () => {
    await openCase(ada, day, 'Password');
    const views = ada.getByRole('navigation', { name: 'Views' });
    for (const name of ['Needs reply', 'AI handling', 'Waiting on trader', 'Done', 'Unassigned'])
      await views.getByRole('link', { name }).waitFor();
    await ada.getByRole('button', { name: 'Assignee: Unassigned' }).waitFor();
    await ada.getByText('Reply to Tess Trader, or type /ai to ask the assistant').waitFor();
    const page = await ada.locator('body').textContent();
    expect(page).not.toMatch(/Waiting for us|Nobody|Held by|for good|may call it/i);
    const fonts = await ada.evaluate(async () => {
      const loaded = await document.fonts.load('14px Inter', 'a');
      return { named: getComputedStyle(document.body).fontFamily, loaded: loaded.length };
    });
    expect(fonts).toMatchObject({ named: expect.stringMatching(/^Inter,/), loaded: 1 });
  });

  test('A11 a page says why it was signed out elsewhere, and returns to its place', async () => {
    await ada.goto(path('/calendar?view=month'));
    await ada
      .getByRole('row', { name: /^Week of/ })
      .first()
      .waitFor();
    await isLive(ada);
    const other = await ada.context().newPage();
    await other.goto(path('/tickets'));
    await other.getByRole('button', { name: /^Account of/ }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.getByText('You were signed out').waitFor();
    await expectAccessible(ada);
    await signIn(ada, day.ada);
    await ada.waitForURL('**/calendar?view=month');
  });
});
