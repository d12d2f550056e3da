import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole, openTicket } from './browser.ts';

const WRITES = /trpc\/tickets\.(reply|addNote|setPriority|setStatus)/;

describeInBrowser('without a network', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const stored = async (ticket: string) => {
    const { rows } = await app.services.pool.query(
      `select priority, (select json_agg(body) from ticket_messages m
         where m.workspace_id = t.workspace_id and m.ticket_id = t.id and from_kind = 'admin') as bodies
       from tickets t where workspace_id = $1 and id = $2`,
      [app.firm.id, ticket],
    );
    return rows[0] as { priority: string; bodies: string[] | null };
  };

  test('says what is not saved, keeps it over a reload and saves it once', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page, context } = agents[0]!;
    const keys: string[] = [];
    page.on('request', (request) => {
      if (WRITES.test(request.url()) && request.url().includes('reply'))
        keys.push(request.headers()['idempotency-key']!);
    });
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Priority: Normal' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Urgent' }).click();
    await page.getByRole('button', { name: 'Priority: Urgent' }).waitFor();
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await page.locator('#ticket header').getByText('Not saved').waitFor();
    await page.getByRole('option').getByText('Not saved').waitFor({ state: 'attached' });
    await reply(page).fill('Paid on Monday.');
    await reply(page).press('Control+Enter');
    const waiting = page.getByRole('article', { name: 'Your reply, not sent' });
    await waiting.getByText('Paid on Monday.').waitFor();
    await page.getByText('2 changes aren’t saved yet.').waitFor();
    await expectAccessible(page);

    // The line is back for reading, not for writing.
    await page.route(WRITES, (route) => route.abort());
    await context.setOffline(false);
    await page.reload();
    await page.getByRole('button', { name: 'Priority: Urgent' }).waitFor();
    await page.getByText('Paid on Monday.').waitFor();
    await page.getByText('2 changes aren’t saved yet.').waitFor();
    expect(await stored(ticket)).toEqual({ priority: 'normal', bodies: null });
    await page.unroute(WRITES);
    await expect.poll(() => stored(ticket)).toEqual({ priority: 'urgent', bodies: ['Paid on Monday.'] });
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
    await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('Paid on Monday.').waitFor();
    expect(new Set(keys).size).toBe(1);
  });

  test('stores a reply once whose response was lost', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await page.route(/trpc\/tickets\.reply/, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await reply(page).fill('Paid on Monday.');
    await reply(page).press('Control+Enter');
    await page.getByText('1 change isn’t saved yet.').waitFor();
    await page.unroute(/trpc\/tickets\.reply/);
    await page.reload();
    await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('Paid on Monday.').waitFor();
    await page.getByText(/saved yet/).waitFor({ state: 'hidden' });
    expect((await stored(ticket)).bodies).toEqual(['Paid on Monday.']);
  });

  test('keeps a reply unsent that others have overtaken, and shows their message', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents as [Agent, Agent];
    await ada.context.setOffline(true);
    await reply(ada.page).fill('It comes tomorrow.');
    await reply(ada.page).press('Control+Enter');
    await ada.page.getByRole('article', { name: 'Your reply, not sent' }).waitFor();
    await reply(ben.page).fill('It was paid on Monday.');
    await reply(ben.page).press('Control+Enter');
    await ben.page.getByRole('article', { name: 'Message, Ada Able' }).waitFor({ state: 'detached' });
    await expect.poll(async () => (await stored(ticket)).bodies).toEqual(['It was paid on Monday.']);
    await ada.context.setOffline(false);
    const guard = ada.page.getByRole('dialog', { name: 'Ben Best just replied' });
    await guard.getByText('It was paid on Monday.').waitFor();
    expect((await stored(ticket)).bodies).toEqual(['It was paid on Monday.']);
    await guard.getByRole('button', { name: 'Send anyway' }).click();
    await expect
      .poll(async () => (await stored(ticket)).bodies)
      .toEqual(['It was paid on Monday.', 'It comes tomorrow.']);
  });

  test('sends a reply of a closed tab from another one, once', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page, context } = agents[0]!;
    const other = await context.newPage();
    await openTicket(other, ticket);
    const keys: string[] = [];
    context.on('request', (request) => {
      if (request.url().includes('tickets.reply')) keys.push(request.headers()['idempotency-key']!);
    });
    // The call of the first tab waits for another transaction.
    const client = await app.services.pool.connect();
    try {
      await client.query('begin');
      await client.query('select from tickets where workspace_id = $1 and id = $2 for update', [
        app.firm.id,
        ticket,
      ]);
      await reply(page).fill('Paid on Monday.');
      await reply(page).press('Control+Enter');
      await other
        .getByRole('article', { name: 'Your reply, sending' })
        .getByText('Paid on Monday.')
        .waitFor();
      await expect.poll(() => keys.length).toBe(1);
      await page.close();
      await expect.poll(() => keys.length).toBe(2);
      await client.query('rollback');
    } finally {
      client.release();
    }
    await other.getByRole('article', { name: 'Message, Ada Able' }).getByText('Paid on Monday.').waitFor();
    await other.getByText('Your reply, sending').waitFor({ state: 'hidden' });
    expect((await stored(ticket)).bodies).toEqual(['Paid on Monday.']);
    expect(new Set(keys).size).toBe(1);
  });

  test('sends the changes of a tab whose line is broken from another one, in their order', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able');
    const { page, context } = agents[0]!;
    const other = await context.newPage();
    await openTicket(other, ticket);
    await page.route(WRITES, async (route) => {
      // The response of the reply is lost, the call that follows does not arrive.
      if (route.request().url().includes('reply')) await route.fetch();
      await route.abort();
    });
    await reply(page).fill('Paid on Monday.');
    await reply(page).press('Control+Enter');
    await page.getByRole('button', { name: 'Priority: Normal' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Urgent' }).click();
    await expect.poll(() => stored(ticket)).toEqual({ priority: 'urgent', bodies: ['Paid on Monday.'] });
    for (const each of [page, other]) {
      await each.getByRole('article', { name: 'Message, Ada Able' }).getByText('Paid on Monday.').waitFor();
      await each.getByText(/saved yet/).waitFor({ state: 'hidden' });
      await each.getByRole('button', { name: 'Priority: Urgent' }).waitFor();
    }
  });

  test('shows an own message at every moment, also after leaving its ticket and coming back', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    const path = new URL(page.url()).pathname;
    const gate = Promise.withResolvers<void>();
    await page.route(/trpc\/tickets\.reply/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    const text = page.getByRole('region', { name: 'Conversation' }).getByText('Paid on Monday.');
    await reply(page).fill('Paid on Monday.');
    await reply(page).press('Control+Enter');
    await text.waitFor();
    const leaveAndReturn = async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.waitForURL((url) => url.pathname === app.pathOf('/tickets'));
      await page.goBack();
      await page.waitForURL((url) => url.pathname === path);
      await page.getByRole('region', { name: 'Conversation' }).waitFor();
      expect(await text.count()).toBe(1);
    };
    await leaveAndReturn();
    // From now on the conversation cannot be fetched.
    await page.route(/trpc\/[^?]*tickets\.messages/, () => {});
    gate.resolve();
    await page.getByRole('article', { name: 'Message, Ada Able' }).waitFor();
    await leaveAndReturn();
    expect(await page.getByRole('article', { name: 'Message, Ada Able' }).count()).toBe(1);
  });

  test('opens every page without a network once the console was idle', async () => {
    const { page, context } = await app.agent();
    await page.goto('/tickets');
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    const hasCodeOf = (name: string) =>
      page.evaluate(
        (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)),
        name,
      );
    for (const name of ['mail-page', 'calendar-page', 'notifications-page', 'pre-registrations-page'])
      await expect.poll(() => hasCodeOf(name)).toBe(true);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Mail', 'Calendar', 'Notifications', 'Pre-registrations', 'Settings']) {
      await pages.getByRole('link', { name }).click();
      const title = name === 'Settings' ? 'Assistant settings' : name;
      await expect.poll(() => page.title()).toBe(`${title} · Firmdesk`);
    }
    // A page that waits for its data says so.
    await page.getByText('You’re offline').waitFor();
  });
});

function reply(page: Page) {
  return page.getByRole('textbox', { name: /^Reply to/ });
}
