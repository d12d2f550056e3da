import { createUser, setAvatar } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole, openTicket } from './browser.ts';
import { fieldText } from './case-list.ts';
import { clearEditor } from './editor-field.ts';

describeInBrowser('the ticket', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const bodiesOf = async (ticket: string) => {
    const { rows } = await app.services.pool.query<{ body: string }>(
      'select body from ticket_messages where ticket_id = $1 order by created_at',
      [ticket],
    );
    return rows.map(({ body }) => body);
  };

  test('asks before it sends a reply after a teammate’s new reply', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    await reply(ada).fill('It comes tomorrow.');
    await reply(ben).fill('It was paid on Monday.');
    await ben.keyboard.press('Control+Enter');
    await article(ada, 'Message, Ben Best').waitFor();
    await reply(ada).press('Control+Enter');
    const guard = ada.getByRole('dialog', { name: 'Ben Best just replied' });
    await guard.getByText('It was paid on Monday.').waitFor();
    await expectAccessible(ada);
    await ada.keyboard.press('Enter');
    await guard.waitFor({ state: 'hidden' });
    expect(await reply(ada).evaluate(fieldText)).toBe('It comes tomorrow.');
    expect(await bodiesOf(ticket)).not.toContain('It comes tomorrow.');
    // The dialog has shown the message, so the next attempt sends the reply.
    await reply(ada).press('Control+Enter');
    await article(ben, 'Message, Ada Able').getByText('It comes tomorrow.').waitFor();
  });

  test('sends a reply begun before the conversation was loaded without a question', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
    const { page } = await app.agent();
    const gate = Promise.withResolvers<void>();
    await page.route(/trpc\/[^?]*tickets\.messages/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(`/tickets/${ticket}`);
    await reply(page).fill('It comes tomorrow.');
    gate.resolve();
    await page.getByText('Where is my payout?').last().waitFor();
    await reply(page).press('Control+Enter');
    await expect.poll(() => bodiesOf(ticket)).toContain('It comes tomorrow.');
  });

  test('asks before it sends a note or a command to the assistant that a teammate has overtaken', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents as [Agent, Agent];
    const waiting = ada.page.getByRole('article', { name: 'Your internal note, not sent' });
    for (const [shortcut, text, answer] of [
      ['n', 'The bank holds it.', 'It was paid on Monday.'],
      ['Control+j', 'say when it comes', 'It comes today.'],
    ] as const) {
      await ada.page.keyboard.press(shortcut);
      await ada.page.keyboard.type(text);
      await ada.context.setOffline(true);
      await ada.page.keyboard.press('Control+Enter');
      await waiting.waitFor();
      await reply(ben.page).fill(answer);
      await ben.page.keyboard.press('Control+Enter');
      await expect.poll(() => bodiesOf(ticket)).toContain(answer);
      await ada.context.setOffline(false);
      const guard = ada.page.getByRole('dialog', { name: 'Ben Best just replied' });
      await guard.getByText(answer).waitFor();
      expect((await bodiesOf(ticket)).filter((body) => body.includes(text))).toEqual([]);
      await guard.getByRole('button', { name: 'Send anyway' }).click();
      await expect.poll(async () => (await bodiesOf(ticket)).some((body) => body.includes(text))).toBe(true);
    }
  });

  test('keeps the drafts of reply and note over a reload, for their writer only', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page, context } = agents[0]!;
    await reply(page).fill('Dear Tess,\n\nhalf a sen');
    await page.getByRole('button', { name: 'Internal note' }).click();
    await page.getByRole('textbox', { name: 'Internal note' }).fill('Ask finance');
    await page.reload();
    expect(await reply(page).evaluate(fieldText)).toBe('Dear Tess,\n\nhalf a sen');
    await page.keyboard.press('n');
    expect(await page.getByRole('textbox', { name: 'Internal note' }).evaluate(fieldText)).toBe(
      'Ask finance',
    );
    const other = await app.agent({ name: 'Ben Best' });
    await context.clearCookies();
    await context.addCookies(await other.context.cookies());
    await openTicket(page, ticket);
    expect(await reply(page).evaluate(fieldText)).toBe('');
  });

  test('shows avatars, and runs and loads nothing in one that is opened as a page', async () => {
    const attack = `<script>fetch('/hacked')</script><image href="/hacked" width="9" height="9"/>`;
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="96" height="96" onload="fetch('/hacked')">${attack}</svg>`;
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Tess Trader' });
    const hash = await setAvatar(app.services, trader, `data:image/svg+xml,${encodeURIComponent(picture)}`);
    const agent = await app.agent({ name: 'Ada Able' });
    const { page } = agent;
    await setAvatar(app.services, agent, 'https://pictures.invalid/ada.png');
    const ticket = await app.ticket({ trader, assignee: agent, messages: [{ body: 'Where is my payout?' }] });
    await openTicket(page, ticket);
    const image = article(page, 'Message, Tess Trader').locator('img');
    expect(await image.getAttribute('src')).toBe(`${app.url}/avatars/${hash}`);
    await expect
      .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth), { timeout: 60_000 })
      .toBe(96);
    // Ada’s picture cannot be loaded.
    await page.getByRole('button', { name: 'Assignee: Ada Able' }).getByText('A', { exact: true }).waitFor();

    const loaded: string[] = [];
    page.on('response', (response) => loaded.push(new URL(response.url()).pathname));
    const blocked = page.waitForEvent('console', (message) => message.text().includes('Blocked script'));
    await page.goto(`/avatars/${hash}`);
    await blocked;
    expect(loaded).toContain(`/avatars/${hash}`);
    expect(loaded).not.toContain('/hacked');
  });

  test('shows messages of traders as text and runs no code in them', async () => {
    const attack = '<img src=x onerror="window.hacked = true"><script>window.hacked = true</script>';
    const ticket = await app.ticket({
      subject: `Subject ${attack}`,
      messages: [{ body: `Where is my payout? ${attack} javascript:alert(1) https://example.com/"onclick=` }],
    });
    const { page } = await app.agent();
    await openTicket(page, ticket);
    await page.getByRole('heading', { name: `Subject ${attack}` }).waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    const links = await page.getByRole('article').getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://example.com/',
    ]);
  });

  test('keeps the scroll position when older messages load', async () => {
    const start = Date.now() - 86_400_000;
    const ticket = await app.ticket({
      messages: [
        ...Array.from({ length: 120 }, (_, index) => ({
          body: `Message ${index}.`,
          at: new Date(start + index * 1_000),
        })),
        { body: 'Where is my payout?' },
      ],
    });
    const { page } = await app.agent();
    await openTicket(page, ticket);
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await expect.poll(() => distanceToEnd(page)).toBeLessThan(2);
    expect(await page.getByText('Message 70.', { exact: true }).count()).toBe(0);
    await conversation.evaluate((element) => element.scrollTo({ top: 500 }));
    const read = page.getByText('Message 76.', { exact: true });
    const before = (await read.boundingBox())!.y;
    await conversation.evaluate((element) => element.scrollBy({ top: -200 }));
    await page.getByText('Message 60.', { exact: true }).waitFor({ state: 'attached' });
    expect((await read.boundingBox())!.y).toBeCloseTo(before + 200, -1);
  });

  test('accepts only notes on a resolved ticket and shows the unsent reply', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await reply(page).fill('Half a reply');
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await page.getByRole('alertdialog', { name: 'You have an unsent reply' }).waitFor();
    await page.getByRole('button', { name: 'Resolve anyway' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(ticket));
    await page.goto(`/tickets/${ticket}`);
    await page.getByText('This ticket is resolved.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Your unsent reply' }).evaluate(fieldText)).toBe(
      'Half a reply',
    );
    expect(await reply(page).count()).toBe(0);
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Internal note' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type('Paid by hand.');
    await page.keyboard.press('Control+Enter');
    await article(page, 'Internal note, Ada Able').getByText('Paid by hand.').waitFor();
    await expectAccessible(page);
  });

  test('shows a read-only ticket without the permission to manage tickets', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
    const { page } = await app.agent({ permissions: ['view_tickets'] });
    await openTicket(page, ticket);
    await page.getByText('You can read this ticket.').waitFor();
    expect(await page.getByLabel('Composer').getByRole('textbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Priority/ }).count()).toBe(0);
  });

  test('shows that a ticket does not exist', async () => {
    const { page } = await app.agent();
    for (const id of ['tkt_0000000000000000000000000z', 'nonsense']) {
      await page.goto(`/tickets/${id}`);
      await page.getByText('Not found', { exact: true }).waitFor();
    }
  });

  test('keeps a draft while offline and shows missed messages when online again', async () => {
    const { agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents as [Agent, Agent];
    await ada.context.setOffline(true);
    await reply(ada.page).fill('Paid on Monday.');
    await ada.page.getByText('You are offline.').waitFor();
    await ben.page.keyboard.press('n');
    await ben.page.keyboard.type('Checked with the bank.');
    await ben.page.keyboard.press('Control+Enter');
    await article(ben.page, 'Internal note, Ben Best').waitFor();
    await ada.context.setOffline(false);
    await article(ada.page, 'Internal note, Ben Best').getByText('Checked with the bank.').waitFor();
    expect(await reply(ada.page).evaluate(fieldText)).toBe('Paid on Monday.');
  });

  test('shows and enlarges images, and says which ones cannot be shown', async () => {
    const picture = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')}`;
    const ticket = await app.ticket({
      messages: [
        { body: 'Where is my payout?', at: new Date(Date.now() - 3_000) },
        { body: 'As you see.', at: new Date(Date.now() - 2_000) },
        { from: 'ai', body: 'I pass it on.', at: new Date(Date.now() - 1_000) },
        { from: 'admin', body: 'Known bug.', internal: true },
      ],
    });
    await app.services.pool.query(
      `update ticket_messages set image_url = case body when 'As you see.' then $2 else $3 end, image_name = body
       where ticket_id = $1 and from_kind = 'trader'`,
      [ticket, picture, 'http://pictures.invalid/lost.png'],
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await app.agent({ colorScheme, viewport: { width: 1440, height: 900 } });
      await openTicket(page, ticket);
      await page.getByText('Where is my payout? could not be shown.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'As you see., enlarge' }).click();
      await page.getByRole('dialog').getByRole('img', { name: 'As you see.' }).waitFor();
      await expectAccessible(page);
    }
  });

  test('shows only the ticket on a phone, with a link back to the list', async () => {
    const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
    const { page } = await app.agent({ viewport: { width: 360, height: 740 } });
    await openTicket(page, ticket);
    const composer = page.getByRole('region', { name: 'Composer' });
    const header = page.getByRole('region', { name: 'Ticket', exact: true }).locator('header').first();
    // The properties are one row, and the composer one line until it is used.
    const topOf = async (name: RegExp) => (await header.getByRole('button', { name }).boundingBox())!.y;
    expect(await topOf(/^Team: /)).toBe(await topOf(/^Status: /));
    expect((await composer.boundingBox())!.height).toBeLessThan(50);
    await expectAccessible(page);
    await reply(page).click();
    await composer.getByRole('button', { name: 'Internal note' }).click();
    const note = page.getByRole('textbox', { name: 'Internal note' });
    await note.fill('Asked the bank');
    await page.getByText('Where is my payout?').last().click();
    await composer.getByRole('button', { name: 'Add internal note' }).waitFor();
    await clearEditor(page, note);
    await page.getByText('Where is my payout?').last().click();
    await composer.getByRole('button', { name: 'Add internal note' }).waitFor({ state: 'hidden' });
    // The tags are in the sheet, which their key opens, too.
    await header.click({ position: { x: 5, y: 5 } });
    await page.keyboard.press('l');
    await page.getByRole('dialog', { name: 'Trader and details' }).waitFor();
    await page.keyboard.press('Enter');
    const tags = page.getByRole('menu', { name: 'Tags' });
    await tags.waitFor();
    await page.keyboard.press('Escape');
    await tags.waitFor({ state: 'hidden' });
    const details = page.getByRole('dialog', { name: 'Trader and details' });
    await details.getByRole('button', { name: /^Tags: / }).waitFor();
    await details.getByText('Tess Trader').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.waitForURL((url) => url.pathname === app.pathOf('/tickets'));
  });
});

function distanceToEnd(page: Page): Promise<number> {
  return page
    .getByRole('region', { name: 'Conversation' })
    .evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
}

function reply(page: Page) {
  return page.getByRole('textbox', { name: /^Reply to/ });
}

function article(page: Page, name: string) {
  return page.getByRole('article', { name });
}
