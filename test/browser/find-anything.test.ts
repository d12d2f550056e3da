import { deliverMail } from '@firmdesk/domain';
import { createMailbox, createUser } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';

describeInBrowser('finding by any part of a name', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('the command menu finds people, tickets and mail, and offers first what was used last', async () => {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Zoë Kowalczyk' });
    await app.ticket({ trader, subject: 'Late payout' });
    const agent = await app.agent();
    const { page } = agent;
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    await deliverMail(app.services, {
      mailbox: mailbox.email,
      folder: 'inbox',
      raw: Buffer.from('From: bank@example.com\r\nSubject: Statement of Kowalczyk\r\n\r\nAttached.\r\n'),
    });
    await page.goto('/calendar');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.keyboard.press('Control+k');
    const menu = page.getByRole('dialog', { name: 'Command menu' });
    await page.keyboard.type('kowalczyk');
    await menu.getByRole('group', { name: 'Tickets' }).getByText('Late payout').waitFor();
    await menu.getByRole('group', { name: 'Mail' }).getByText('Statement of Kowalczyk').waitFor();
    const person = menu.getByRole('group', { name: 'People' }).getByRole('option', { name: /Kowalczyk/ });
    await person.waitFor();
    await expectAccessible(page);
    await person.click();
    await page.waitForURL(`**/tickets?from=*`);
    await page.getByRole('option', { name: /Late payout/ }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('unassigned');
    await page.keyboard.press('Enter');
    await page.waitForURL('**assignee=none**');
    await page.keyboard.press('Control+k');
    const recent = menu.getByRole('group', { name: 'Recent' });
    await recent.getByRole('option', { name: 'Unassigned' }).waitFor();
    await page.keyboard.press('Escape');

    // Calendars too, from any page.
    const choose = async (text: string, name: string) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.type(text);
      await menu.getByRole('group', { name: 'Calendars' }).getByRole('option', { name }).click();
    };
    await choose('new cal', 'New calendar');
    await page.getByRole('dialog', { name: 'New calendar' }).getByLabel('Name').fill('Payout desk');
    await page.keyboard.press('Enter');
    const box = page.getByRole('checkbox', { name: 'Payout desk' });
    await expect.poll(() => box.isChecked()).toBe(true);
    await choose('payout desk', 'Hide calendar Payout desk');
    await expect.poll(() => box.isChecked()).toBe(false);
    await page.goto('/notifications');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await choose('payout desk', 'Open calendar Payout desk');
    await expect.poll(() => box.isChecked()).toBe(true);
  });

  test('the command menu begins with what was opened last, until the account signs out', async () => {
    const ticket = await app.ticket({ subject: 'Frozen terminal' });
    const agent = await app.agent();
    const { page } = agent;
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    await deliverMail(app.services, {
      mailbox: mailbox.email,
      folder: 'inbox',
      raw: Buffer.from('From: bank@example.com\r\nSubject: Fees of November\r\n\r\nAttached.\r\n'),
    });
    const { id: calendar_id } = await app.call(agent, 'calendar.createCalendar', { name: 'Desk' });
    const today = new Date().toISOString().slice(0, 10);
    const event = await app.call(agent, 'calendar.create', {
      calendar_id,
      title: 'Bridge review',
      starts_at: `${today}T10:00:00`,
      ends_at: `${today}T11:00:00`,
      timezone: 'Europe/London',
    });
    await page.goto(`/tickets/${ticket}`);
    await page.getByRole('heading', { name: 'Frozen terminal' }).waitFor();
    await page.goto('/mail');
    await page.getByRole('link', { name: /Fees of November/ }).click();
    await page.getByRole('heading', { name: 'Fees of November' }).waitFor();
    await page.goto(`/calendar?view=day&day=${today}`);
    await page.getByRole('button', { name: /^Bridge review/ }).click();
    await page.getByRole('dialog', { name: 'Bridge review' }).waitFor();
    await page.keyboard.press('Escape');

    const menu = page.getByRole('dialog', { name: 'Command menu' });
    const recent = menu.getByRole('group', { name: 'Recent' }).getByRole('option');
    const open = () => page.keyboard.press('Control+k');
    await page.goto('/notifications');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await open();
    await expect
      .poll(() => recent.allTextContents())
      .toEqual([
        'Bridge reviewEvent',
        'Fees of NovemberMail',
        expect.stringMatching(/^#\w+ Frozen terminalTicket$/),
      ]);
    await expectAccessible(page);
    await recent.filter({ hasText: 'Frozen terminal' }).click();
    await page.getByRole('heading', { name: 'Frozen terminal' }).waitFor();
    await open();
    await recent.filter({ hasText: 'Fees of November' }).click();
    await page.getByRole('heading', { name: 'Fees of November' }).waitFor();
    // What is gone is said in words.
    await app.call(agent, 'calendar.delete', { id: event.id });
    await open();
    await recent.filter({ hasText: 'Bridge review' }).click();
    await page.getByText('The event is no longer here.').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('The event is no longer here.').waitFor({ state: 'detached' });

    // Only the last ones are kept, and none for the next account of this browser.
    for (let i = 0; i < 9; i++) {
      await page.goto(`/tickets/${await app.ticket({ subject: `Case ${i}` })}`);
      await page.getByRole('heading', { name: `Case ${i}` }).waitFor();
    }
    await open();
    await expect.poll(() => recent.count()).toBe(8);
    await page.keyboard.press('Escape');
    const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('recent')));
    expect(await kept()).not.toEqual([]);
    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in**');
    expect(await kept()).toEqual([]);
  });

  test('an assignee and a mention are found by any part of the name or address', async () => {
    const colleague = await app.agent({ name: 'Ingrid van der Berg' });
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent({ name: 'Ada Able' });
    await openTicket(page, ticket);
    const menu = page.getByRole('menu', { name: 'Assignee' });
    const options = menu.getByRole('menuitemcheckbox');
    const find = async (text: string) => {
      await page.keyboard.press('a');
      await menu.waitFor();
      await page.keyboard.type(text);
    };
    await find('berg');
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining('Ingrid')]);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Assignee: Ingrid van der Berg' }).waitFor();
    await find('nass');
    await expect.poll(() => options.allTextContents()).toEqual(['Unassigned']);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Assignee: Unassigned' }).waitFor();
    // A wrong letter is taken back.
    await find(`${colleague.email.slice(1, 12)}x`);
    await expect.poll(() => options.count()).toBe(0);
    await page.keyboard.press('Backspace');
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining('Ingrid')]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Assignee: Ingrid van der Berg' }).waitFor();

    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: /note/i }).waitFor();
    await page.keyboard.type('@berg');
    await page.getByRole('listbox', { name: 'Mention a colleague' }).getByText('Ingrid').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Notifies Ingrid van der Berg').first().waitFor();
    await page.keyboard.type(`@${colleague.email.slice(1, 12)}`);
    await page.getByRole('listbox', { name: 'Mention a colleague' }).getByText('Ingrid').waitFor();
  });

  test('a new ticket offers people while a name is typed', async () => {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Mara Lindqvist' });
    const { page } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('button', { name: 'New ticket' }).waitFor();
    await page.keyboard.press('c');
    const field = page.getByRole('combobox', { name: 'Trader’s name or email' });
    await field.waitFor();
    await page.keyboard.type('lindq');
    await page.getByRole('option', { name: /Mara Lindqvist/ }).waitFor();
    await expectAccessible(page);
    // Escape closes the list, and not the dialog.
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: /Mara Lindqvist/ }).waitFor({ state: 'detached' });
    await page.keyboard.type('v');
    await page.getByRole('option', { name: /Mara Lindqvist/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => field.inputValue()).toBe(trader.email);
    await page.getByLabel('Subject').fill('Your documents');
    await page.getByLabel('Message', { exact: true }).fill('Please upload them.');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL('**/tickets/tkt_*');
    await page
      .getByRole('complementary', { name: 'Trader and details' })
      .getByText('Mara Lindqvist')
      .waitFor();
  });

  test('the notifications show what they are about beside the list, and tell mentions and assignments apart', async () => {
    const first = await app.ticket({ subject: 'Late payout', messages: [{ body: 'Where is my payout?' }] });
    const second = await app.ticket({ subject: 'Wrong fee', messages: [{ body: 'The fee is wrong.' }] });
    const ada = await app.agent({ name: 'Ada Able' });
    const ben = await app.agent({ name: 'Ben Best' });
    await app.call(ben, 'tickets.assign', { ticket: first, assignee: ada.id });
    await app.call(ben, 'tickets.addNote', { ticket: second, body: '@Ada Able look', mentions: [ada.id] });
    const { page } = ada;
    await page.goto('/notifications');
    const list = page.getByRole('region', { name: 'Notifications' });
    await list.getByText('Assigned to you').waitFor();
    await list.getByText('Mention', { exact: true }).waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('The fee is wrong.').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('jj');
    await preview.getByText('Where is my payout?').waitFor();
    await page.keyboard.press('k');
    await preview.getByText('The fee is wrong.').waitFor();
    await page.keyboard.press('e');
    await list
      .getByRole('button', { name: /^Mark “Ben Best mentioned.*as read$/ })
      .waitFor({ state: 'detached' });
    await preview.getByRole('button', { name: 'Open' }).click();
    await page.waitForURL(`**/tickets/${second}`);
  });
});
