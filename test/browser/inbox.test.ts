import { MAX_QUERY_LENGTH } from '@firmdesk/contract';
import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { type CreateTicketInput, createUser, type TestUser } from '@firmdesk/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { createManyTickets } from './create-many-tickets.ts';
import { walkList } from './walk-list.ts';

const HOUR = 3_600_000;

describeInBrowser('the inbox', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates a trader. `path` lists only their tickets. */
  async function openCase() {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
    return {
      trader,
      path: `/tickets?q=${trader.id}`,
      ticket: (subject: string, over: Partial<CreateTicketInput> = {}) =>
        app.ticket({ trader, subject, lastFrom: 'trader', ...over }),
    };
  }

  const options = (page: Page) => page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  const subjects = (page: Page) =>
    options(page).evaluateAll((rows) =>
      rows.map((row) => /Case (\d+|[a-z]+)/.exec(row.textContent ?? '')?.[0]),
    );

  /** Returns the row that keyboard actions apply to. */
  const activeRow = (page: Page) =>
    page.getByRole('listbox', { name: 'Tickets' }).getAttribute('aria-activedescendant');

  const writes = (from: TestUser, open: string) =>
    withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        open,
        from: from.email,
        body: 'Where is it?',
        via_email: false,
      }),
    );

  test('keeps filters in the URL and over a reload, and removes them one by one or together', async () => {
    const { trader, path, ticket } = await openCase();
    await ticket('Case urgent', { priority: 'urgent' });
    await ticket('Case low', { priority: 'low' });
    const { page } = await app.agent();
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    await page.keyboard.type('Fprio');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Filter by priority' }).waitFor();
    await page.keyboard.type('low');
    await page.keyboard.press('Enter');
    await page.waitForURL('**priority=low**');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    expect(new URL(page.url()).searchParams.get('priority')).toBe('low');
    await page.reload();
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await page.getByRole('button', { name: 'Remove filter: Priority is Low' }).click();
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    expect(new URL(page.url()).searchParams.get('q')).toBe(trader.id);
    await page.goBack();
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL(app.url + app.pathOf('/tickets'));
  });

  test('searches after typing and clears the search on Escape', async () => {
    const { ticket } = await openCase();
    await ticket('Case zyzzyva');
    const { page } = await app.agent();
    await page.goto('/tickets');
    await options(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zyzzyva');
    await expect.poll(() => subjects(page)).toEqual(['Case zyzzyva']);
    await page.waitForURL('**/tickets?q=zyzzyva');
    await page.keyboard.press('Escape');
    await page.waitForURL(app.url + app.pathOf('/tickets'));
    await page.keyboard.press('/');
    await page.keyboard.type('nothing-is-called-this');
    await page.getByText('No tickets match').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await options(page).first().waitFor();
  });

  test('repeats the request of a list after an internal error', async () => {
    const { ticket } = await openCase();
    await ticket('Case other');
    await ticket('Case qwertz');
    const { page } = await app.agent();
    await page.goto('/tickets');
    await options(page).first().waitFor();
    // A connection that opens later would load a failed list too.
    await page.locator('[data-connection=open]').waitFor();
    let failed = 0;
    // The same query may be part of a batch: each of its calls gets the error.
    await page.route(
      /trpc\/[^?]*tickets\.search/,
      (route) => {
        failed++;
        const calls = new URL(route.request().url()).pathname.split('/trpc/')[1]!.split(',');
        const errors = calls.map((procedure) => ({
          error: {
            json: {
              message: 'The service failed.',
              code: -32_603,
              data: { code: 'internal_error', httpStatus: 500, path: procedure },
            },
          },
        }));
        return route.fulfill({ status: 500, json: errors });
      },
      { times: 1 },
    );
    await page.keyboard.press('/');
    await page.keyboard.type('qwertz');
    await expect.poll(() => subjects(page)).toEqual(['Case qwertz']);
    expect(failed).toBe(1);
  });

  test('says why a request was rejected', async () => {
    const { page } = await app.agent();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/trpc.*tickets\.search.*words/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`/tickets?q=${'words'.repeat(MAX_QUERY_LENGTH)}`);
    await page.locator('[data-connection=open]').waitFor();
    const alert = page.getByRole('alert');
    await alert.getByText(/must .*at most \d+ characters/).waitFor();
    expect(await alert.textContent()).not.toMatch(/req_|got/);
    await expectAccessible(page);
    expect(asked, 'a rejected request is not repeated').toHaveLength(1);
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL(app.url + app.pathOf('/tickets'));
  });

  test('explains a missing permission to view tickets', async () => {
    const { page } = await app.agent({ permissions: ['view_payouts'] });
    await page.goto('/tickets');
    await page.getByText('You don’t have access to tickets').waitFor();
    await expectAccessible(page);
  });

  test('updates a changed row in place and reorders only on refresh', async () => {
    const { path, ticket } = await openCase();
    const ages = [4, 3, 2].map((hours) => new Date(Date.now() - hours * HOUR));
    const ids: string[] = [];
    for (const [i, at] of ages.entries()) {
      ids.push(await ticket(`Case ${i}`, { lastMessageAt: at, traderWroteAt: at }));
    }
    const colleague = await app.agent();
    const { page } = await app.agent();
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case 0', 'Case 1', 'Case 2']);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.waitForURL(`**/tickets/${ids[1]}?**`);
    const active = await activeRow(page);
    const list = await page.getByRole('listbox', { name: 'Tickets' }).elementHandle();

    await app.call(colleague, 'tickets.setPriority', { ticket: ids[2], priority: 'urgent' });
    await expect.poll(() => options(page).nth(2).textContent()).toContain('Urgent');
    await page.getByRole('button', { name: /1 ticket changed/ }).waitFor();
    expect(await subjects(page)).toEqual(['Case 0', 'Case 1', 'Case 2']);
    expect(await activeRow(page)).toBe(active);
    expect(await list!.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectAccessible(page);

    await page.keyboard.press('.');
    await expect.poll(() => subjects(page)).toEqual(['Case 2', 'Case 0', 'Case 1']);
    expect(await activeRow(page)).toBe(active);
    expect(await page.getByRole('button', { name: /changed/ }).count()).toBe(0);
  });

  test('announces and counts a new ticket and shows it on request', async () => {
    const { trader, path, ticket } = await openCase();
    await ticket('Case old');
    const { page } = await app.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await writes(trader, 'Case new');
    const pill = page.getByRole('button', { name: /1 new ticket/ });
    await pill.waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: /^1 new ticket/ })
      .waitFor({ state: 'attached' });
    expect(await subjects(page)).toEqual(['Case old']);
    await pill.click();
    await expect.poll(() => subjects(page)).toEqual(['Case old', 'Case new']);
  });

  test('shows changes made during a restart once the gateway is back', async () => {
    const { path, ticket } = await openCase();
    const id = await ticket('Case gap');
    const { page } = await app.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await app.restart(async () => {
      await app.services.pool.query(`update tickets set priority = 'high' where id = $1`, [id]);
      await page.locator('[data-connection=waiting], [data-connection=connecting]').waitFor();
    });
    await expect.poll(() => options(page).first().textContent()).toContain('High');
  });

  test('loads a failed list automatically once the gateway is back', async () => {
    const { ticket } = await openCase();
    await ticket('Case late');
    const { page } = await app.agent();
    await page.goto('/tickets');
    await options(page).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await app.restart(async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('late');
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor({ timeout: 60_000 });
    });
    await expect.poll(() => subjects(page)).toEqual(['Case late']);
  }, 120_000);

  test('opens tickets with j and k and returns to the list with Escape', async () => {
    const { path, ticket } = await openCase();
    const first = await ticket('Case one', { priority: 'high' });
    const second = await ticket('Case two');
    const { page } = await app.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    await page.keyboard.press('j');
    await page.waitForURL(`**/tickets/${first}?**`);
    await page.keyboard.press('j');
    await page.waitForURL(`**/tickets/${second}?**`);
    await page.keyboard.press('k');
    await page.waitForURL(`**/tickets/${first}?**`);
    await page.getByRole('heading', { name: /Case one/ }).waitFor();
    expect(await page.locator('[role=option][aria-selected=true]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.waitForURL(app.url + app.pathOf(path));
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(`**/tickets/${second}?**`);
    // Moving with j and k replaces the history entry.
    await page.goBack();
    await page.waitForURL(app.url + app.pathOf(path));
  });

  test('fetches the ticket that the first j opens before the key comes', async () => {
    const { path, ticket } = await openCase();
    const first = await ticket('Case one', { priority: 'high', messages: [{ body: 'Where is my payout?' }] });
    await ticket('Case two');
    const { page } = await app.agent();
    const fetched = [/tickets\.get/, /tickets\.messages/].map((procedure) =>
      page.waitForResponse((response) => procedure.test(response.url()) && response.url().includes(first)),
    );
    await page.goto(path);
    await Promise.all(fetched);
    expect(new URL(page.url()).pathname).toBe(app.pathOf('/tickets'));
    await page.keyboard.press('j');
    await page.getByRole('region', { name: 'Conversation' }).getByText('Where is my payout?').waitFor();
  });

  test('ignores j and k while another list loads, and goes on in that one', async () => {
    const { trader, path, ticket } = await openCase();
    await ticket('Case 1', { priority: 'urgent' });
    const low = await ticket('Case 2', { priority: 'low' });
    const { page } = await app.agent();
    await page.goto(path);
    await options(page).nth(1).waitFor();
    const gate = Promise.withResolvers<void>();
    await page.route(/trpc\/[^?]*tickets\.search/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.keyboard.type('low');
    await page.getByRole('option', { name: /^Low/ }).click();
    await page.waitForURL('**priority=low**');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.type('jxk');
    gate.resolve();
    await expect.poll(() => subjects(page)).toEqual(['Case 2']);
    expect(new URL(page.url()).pathname).toBe(app.pathOf('/tickets'));
    await page.keyboard.press('j');
    await page.waitForURL(`**/tickets/${low}?**priority=low**`);
    expect(new URL(page.url()).searchParams.get('q')).toBe(trader.id);
    expect(await page.getByRole('region', { name: 'Selected tickets' }).count()).toBe(0);
  });

  test('scrolls a list of 5,000 tickets without gaps or duplicates and with few rows in the page', async () => {
    const trader = await createManyTickets(app, 5000, 'zz');
    const { page } = await app.agent();
    await page.goto(`/tickets?q=${trader.id}&sort=-created_at`);
    await options(page).first().waitFor();
    const list = page.getByRole('listbox', { name: 'Tickets' });
    const { seen, mostRows } = await list.evaluate(walkList, 1_200);
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, i) => [i + 1, `Case ${i + 1}`]));
    expect(mostRows).toBeLessThan(60);

    // Released rows are loaded again.
    await list.focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await subjects(page))[0]).toBe('Case 1');
  }, 240_000);

  for (const [device, viewport] of [
    ['a wide screen', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    test(`restores the position of the list on going back, on ${device}`, async () => {
      const { path, ticket } = await openCase();
      for (let i = 0; i < 40; i++) await ticket(`Case ${i}`);
      const { page } = await app.agent({ viewport });
      await page.goto(path);
      await options(page).first().waitFor();
      const list = page.getByRole('listbox', { name: 'Tickets' });
      await list.evaluate((element) => element.scrollTo(0, 1_000));
      const row = options(page).filter({ hasText: 'Case 20' });
      await row.waitFor();
      const topOf = (each: Locator) =>
        each.evaluate((element) => Math.round(element.getBoundingClientRect().top));
      const top = await topOf(row);
      await row.click();
      await page.waitForURL('**/tickets/tkt_*');
      await page.getByRole('heading', { name: /Case 20/ }).waitFor();
      await page.goBack();
      await expect.poll(() => topOf(row)).toBe(top);
      await page.getByRole('link', { name: 'Calendar' }).click();
      await page.waitForURL('**/calendar');
      await page.goBack();
      await row.waitFor();
      expect(await topOf(row)).toBe(top);
    });
  }
});
