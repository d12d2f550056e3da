/** What people meet in everyday use: states that stay true, and what the next key does. */
import { deliverMail } from '@firmdesk/domain';
import { createMailbox, createTag } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible, phone } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, holdNext, openConsole } from './browser.ts';
import { fieldText } from './case-list.ts';
import { recipientsOf } from './recipients.ts';

describeInBrowser('everyday use', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const options = (page: Page) => page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  const row = (page: Page, subject: string) => options(page).filter({ hasText: subject });
  const heading = (page: Page, subject: string) =>
    page.getByRole('heading', { name: new RegExp(`^${subject}`), level: 1 });
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
  const ticketOf = async (id: string) =>
    (await app.services.pool.query('select status, priority, unread from tickets where id = $1', [id]))
      .rows[0];
  /** Creates tickets of a word that only they have, the first one at the top. `path` lists them. */
  async function openCase(word: string, subjects: string[], over: object = {}) {
    const ids: string[] = [];
    for (const [i, subject] of subjects.entries())
      ids.push(
        await app.ticket({
          subject: `${subject} ${word}`,
          createdAt: new Date(Date.now() - (100 - i) * 60_000),
          lastFrom: 'trader',
          messages: [{ body: `About ${subject}` }],
          ...over,
        }),
      );
    return { ids, path: `/tickets?status=waiting&sort=created_at&from=${app.trader.email}` };
  }

  test('lands in “Needs reply”, later in the last view; resolves with a reply, and keeps the place in the list', async () => {
    const { ids } = await openCase('landing', ['First', 'Second', 'Third']);
    const { page } = await app.agent();
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await page.goto('/');
    await page.getByRole('heading', { name: 'Needs reply', level: 1 }).waitFor();
    await row(page, 'First landing').click();
    await page.keyboard.press('r');
    await page.keyboard.type('Paid.');
    await page.keyboard.press('Control+Shift+Enter');
    await heading(page, 'Second landing').waitFor();
    await row(page, 'First landing').waitFor({ state: 'detached' });
    await expect.poll(async () => (await ticketOf(ids[0]!)).status).toBe('resolved');
    expect(await page.getByText('Refresh').count(), 'the list is up to date').toBe(0);

    // What a colleague changes does not move, and is told.
    await page.keyboard.press('e');
    await heading(page, 'Third landing').waitFor();
    await row(page, 'Second landing').waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await heading(page, 'Second landing').waitFor();
    await row(page, 'Second landing').waitFor();
    expect((await options(page).allTextContents()).findIndex((text) => text.includes('Second'))).toBeLessThan(
      (await options(page).allTextContents()).findIndex((text) => text.includes('Third')),
    );
    await expectAccessible(page);

    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'All open' }).click();
    await page.getByRole('heading', { name: 'All open', level: 1 }).waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'All open', level: 1 }).waitFor();
    expect(errors).toEqual([]);
  });

  test('opens a menu on the current value, names messages with their time, and gives the focus to the filters', async () => {
    const { ids, path } = await openCase('menus', ['Menu'], { priority: 'low' });
    const { page } = await app.agent();
    await page.goto(path);
    await row(page, 'Menu menus').click();
    await heading(page, 'Menu menus').waitFor();
    await page.getByRole('article', { name: /^Message, Tess Trader, .*\d\d:\d\d$/ }).waitFor();
    await page.keyboard.press('p');
    await expect.poll(() => focused(page)).toBe('Low');
    await page.keyboard.press('Enter');
    expect(await ticketOf(ids[0]!)).toMatchObject({ priority: 'low' });
    await page.keyboard.press('a');
    await expect.poll(() => focused(page)).toBe('Unassigned');
    await page.keyboard.press('Escape');

    const button = page.getByRole('button', { name: 'Filters', exact: true });
    await button.click();
    const panel = page.getByRole('dialog', { name: 'Filter tickets' });
    await expect.poll(() => panel.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.getByRole('region', { name: /^Latest actions/ }).count()).toBe(1);
  });

  test('opens the next ticket by j on a phone, where an address is as high as a finger', async () => {
    const { path } = await openCase('narrow', ['Thumb', 'Finger']);
    const { page } = await app.agent({ viewport: phone });
    await page.goto(path);
    await row(page, 'Thumb narrow').waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(/\/tickets\/tkt_/);
    await page.keyboard.press('r');
    await page.keyboard.type('tl');
    await expect.poll(() => page.getByRole('textbox', { name: /^Reply to/ }).evaluate(fieldText)).toBe('tl');
    await page.getByRole('button', { name: 'Trader and details' }).click();
    const address = page.getByRole('link', { name: app.trader.email });
    expect((await address.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  });

  test('marks a reply of the assistant as read that was watched', async () => {
    const { ids, path } = await openCase('watched', ['Watch']);
    const { page } = await app.agent();
    await page.goto(path);
    await row(page, 'Watch watched').click();
    await heading(page, 'Watch watched').waitFor();
    await page.locator('[data-connection=open]').waitFor();
    const { promise: until, resolve: end } = Promise.withResolvers<void>();
    app.model.behave({ kind: 'hold', words: ['It ', 'is ', 'paid.'], until });
    await page.keyboard.press('r');
    await page.keyboard.type('/ai answer');
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('article', { name: /^Assistant,/ })
      .getByText('It is')
      .waitFor();
    end();
    await page
      .getByRole('article', { name: /^Assistant,/ })
      .getByText('It is paid.')
      .waitFor();
    await expect
      .poll(async () => {
        const { rows } = await app.services.pool.query(
          `select count(*)::int as written from ticket_messages where ticket_id = $1 and from_kind = 'ai' and not streaming`,
          [ids[0]],
        );
        return { ...rows[0], unread: (await ticketOf(ids[0]!)).unread };
      })
      .toEqual({ written: 1, unread: 0 });
  });

  test('offers and completes operators in the search, and says which values there are', async () => {
    await createTag(app.services, { firm: app.firm, name: 'Late fee' });
    await openCase('searched', ['Unread'], { unread: 1 });
    await openCase('searched', ['Read']);
    const { page } = await app.agent();
    await page.goto('/tickets');
    await row(page, 'Read searched').first().waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: 'Search tickets' });
    await page.keyboard.type('searched is:u');
    await page.getByRole('option', { name: 'unread', exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/is=unread/);
    await expect.poll(() => options(page).count()).toBe(1);
    await row(page, 'Unread searched').waitFor();
    expect(await page.getByRole('listbox', { name: 'Suggestions' }).count(), 'results are not covered').toBe(
      0,
    );
    await field.fill('tag:nonexist');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('“tag:nonexist” is not known. Try tag:"Late fee"').waitFor();
    await field.fill('');
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor({ state: 'detached' });
    expect(await focused(page)).not.toContain('from:');
  });

  test('loads what failed once the line is back', async () => {
    const { ids } = await openCase('away', ['Away']);
    const { page } = await app.agent();
    let isAway = true;
    await page.route(/\/trpc\/[^?]*tickets\.(get|views\.list|messages)/, (route) =>
      isAway ? route.abort() : route.continue(),
    );
    await page.goto(`/tickets/${ids[0]}`);
    await page.getByText('Couldn’t load this').first().waitFor();
    isAway = false;
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await heading(page, 'Away away').waitFor();
    await expect.poll(() => page.getByText('Couldn’t load this').count()).toBe(0);
  });

  test('closes the report of a bulk change that was undone', async () => {
    const { path } = await openCase('bulk', ['One', 'Two']);
    const { page } = await app.agent();
    await page.goto(`${path}&q=bulk`);
    await row(page, 'One bulk').waitFor();
    await page.keyboard.press('X');
    await page.keyboard.press('p');
    await page.getByRole('menuitem', { name: 'High' }).click();
    const question = page.getByRole('alertdialog', { name: 'Set the priority of 2 tickets to high?' });
    await question.getByRole('button', { name: 'Set priority' }).click();
    const report = page.getByRole('region', { name: 'Bulk change' });
    await report.getByText('2 tickets changed').waitFor();
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count(), 'it is offered once').toBe(
      1,
    );
    await page.keyboard.press('z');
    await report.waitFor({ state: 'detached' });
  });

  test('shows an inline image in the shape that it names, and each paragraph in its direction', async () => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const spacer = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const text = [
      'From: Ann <ann@elsewhere.example>',
      'Subject: Spacer',
      'Content-Type: text/html',
      '',
      `<p>Before</p><img src="${spacer}" width="120" height="60" alt="spacer">`,
    ].join('\r\n');
    await deliverMail(app.services, {
      raw: { text, encoding: 'text' },
      mailbox: mailbox.email,
      folder: 'inbox',
    });
    const { page } = agent;
    await page.goto('/mail');
    await page.getByRole('link', { name: /Spacer/ }).click();
    const image = page.frameLocator('iframe').getByRole('img', { name: 'spacer' });
    expect(await image.boundingBox()).toMatchObject({ width: 120, height: 60 });

    const { ids } = await openCase('bidi', ['Arabic'], {
      messages: [{ body: 'أين دفعتي؟\nPlease answer <soon>.' }],
    });
    await page.goto(`/tickets/${ids[0]}`);
    const answer = page.getByRole('region', { name: 'Conversation' }).getByText('Please answer');
    await answer.waitFor();
    const starts = await answer.evaluate((element) => {
      const { left, width } = element.getBoundingClientRect();
      const lines = element.textContent.split('\n').map((line, at) => {
        const range = document.createRange();
        const node = element.firstChild!;
        const from = at === 0 ? 0 : element.textContent.indexOf('\n') + 1;
        range.setStart(node, from);
        range.setEnd(node, from + line.length);
        return range.getBoundingClientRect();
      });
      return lines.map((line) => (line.left - left < width / 4 ? 'left' : 'right'));
    });
    expect(starts).toEqual(['right', 'left']);
  });

  test('saves a mail draft while an address is typed, and shows it in the list', async () => {
    const agent = await app.agent();
    await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { page } = agent;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Terms');
    await page.getByLabel('To', { exact: true }).fill('olivia@example.com, half@');
    await page.locator('[data-draft-status=partly]').waitFor();
    await page.getByText('Enter a valid email address.').waitFor();
    await page.getByRole('link', { name: /To olivia@example.com.*Terms/ }).waitFor();
    const { rows } = await app.services.pool.query(
      `select to_recipients from mail_messages where subject = 'Terms' and folder = 'drafts'`,
    );
    expect(rows[0].to_recipients).toMatchObject([{ email: 'olivia@example.com' }]);
    await page.reload();
    await expect.poll(() => recipientsOf(page)).toEqual(['olivia@example.com', 'half@']);
    expect(await page.getByText('The service can’t be reached').count()).toBe(0);
    expect(await page.getByText('isn’t saved yet').count()).toBe(0);
  });

  test('keeps the first command highlighted, and what was typed into settings', async () => {
    const { page } = await app.agent();
    const held = await holdNext(page, 'tickets.views.list');
    await page.goto('/settings/sla');
    await page.getByRole('textbox', { name: 'First response, Low' }).fill('1d');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Type a command').waitFor();
    const first = page.getByRole('option').first();
    expect(await first.getAttribute('aria-selected')).toBe('true');
    held.release();
    await page.getByRole('option', { name: 'Unassigned' }).waitFor({ state: 'attached' });
    expect(await first.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Macros' }).first().click();
    await page.getByRole('button', { name: 'New macro' }).waitFor();
    await page.goBack();
    expect(await page.getByRole('textbox', { name: 'First response, Low' }).evaluate(fieldText)).toBe('1d');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByRole('textbox', { name: 'First response, Low' }).evaluate(fieldText)).toBe('');

    await page.goto('/account/sessions');
    await page.getByRole('button', { name: /^Time zone/ }).click();
    await page.getByPlaceholder('City or region').fill('kolkata');
    await page.getByRole('option', { name: /^Asia\/Kolkata GMT\+5:30/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await page.getByText('Times are now shown in Asia/Kolkata').waitFor();
  });
});
