import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { type CreateTicketInput, createUser, type TestUser } from '@firmdesk/domain/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const HOUR = 3_600_000;

describeInBrowser('the inbox', () => {
  let desk: ConsoleUnderTest;
  beforeAll(async () => {
    desk = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => desk?.[Symbol.asyncDispose]());

  /** A trader of one's own, whose tickets alone are listed at `path`. */
  async function openCase() {
    const trader = await createUser(desk.services, { firm: desk.firm, role: 'trader', name: 'Casey Trader' });
    return {
      trader,
      path: `/tickets?q=${trader.id}`,
      ticket: (subject: string, over: Partial<CreateTicketInput> = {}) =>
        desk.ticket({ trader, subject, lastFrom: 'trader', ...over }),
    };
  }

  const options = (page: Page) => page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  const subjects = (page: Page) =>
    options(page).evaluateAll((rows) =>
      rows.map((row) => /Case (\d+|[a-z]+)/.exec(row.textContent ?? '')?.[0]),
    );

  /** The row that the keys act on. */
  const activeRow = (page: Page) =>
    page.getByRole('listbox', { name: 'Tickets' }).getAttribute('aria-activedescendant');

  /** What a colleague does at another desk. */
  async function act({ context }: Agent, procedure: string, input: object): Promise<void> {
    const answer = await context.request.post(`${desk.url}/trpc/${procedure}`, {
      headers: {
        origin: desk.url,
        'idempotency-key': crypto.randomUUID(),
        'service-workspace': desk.firm.slug,
      },
      data: { json: input },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  const writes = (from: TestUser, open: string) =>
    withTransaction(desk.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: desk.firm.slug,
        open,
        from: from.email,
        body: 'Where is it?',
        via_email: false,
      }),
    );

  test('filters stand in the address, outlive a reload, and are taken out one by one or all at once', async () => {
    const { trader, path, ticket } = await openCase();
    await ticket('Case urgent', { priority: 'urgent' });
    await ticket('Case low', { priority: 'low' });
    const { page } = await desk.agent();
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Priority').selectOption('low');
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await expectAccessible(page);
    expect(new URL(page.url()).searchParams.get('priority')).toBe('low');
    await page.reload();
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await page.getByRole('button', { name: 'Without Low priority' }).click();
    await expect.poll(() => subjects(page)).toEqual(['Case urgent', 'Case low']);
    expect(new URL(page.url()).searchParams.get('q')).toBe(trader.id);
    await page.goBack();
    await expect.poll(() => subjects(page)).toEqual(['Case low']);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.waitForURL(desk.url + desk.at('/tickets'));
  });

  test('a search is typed, found a moment later, and emptied by Escape', async () => {
    const { ticket } = await openCase();
    await ticket('Case zyzzyva');
    const { page } = await desk.agent();
    await page.goto('/tickets');
    await options(page).first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('zyzzyva');
    await expect.poll(() => subjects(page)).toEqual(['Case zyzzyva']);
    await page.waitForURL('**/tickets?q=zyzzyva');
    await page.keyboard.press('Escape');
    await page.waitForURL(desk.url + desk.at('/tickets'));
    await page.keyboard.press('/');
    await page.keyboard.type('nothing-is-called-this');
    await page.getByText('No tickets match').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await options(page).first().waitFor();
  });

  test('what the service refuses is said in its words, with the id of the request', async () => {
    const { page } = await desk.agent();
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/trpc.*tickets\.list.*somebody/.test(request.url())) asked.push(request.url());
    });
    await page.goto('/tickets?assignee=somebody');
    await page.locator('[data-connection=open]').waitFor();
    const alert = page.getByRole('alert');
    await alert.getByText(/must be anyone, me, none/).waitFor();
    expect(await alert.textContent()).toMatch(/req_/);
    await expectAccessible(page);
    expect(asked, 'what was refused is not asked for again').toHaveLength(1);
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL(desk.url + desk.at('/tickets'));
  });

  test('who may not see tickets is told so', async () => {
    const { page } = await desk.agent({ permissions: ['view_payouts'] });
    await page.goto('/tickets');
    await page.getByText('You may not see tickets').waitFor();
    await expectAccessible(page);
  });

  test('a change shows in its row, which stays under the cursor until the list is put in order', async () => {
    const { path, ticket } = await openCase();
    const ages = [4, 3, 2].map((hours) => new Date(Date.now() - hours * HOUR));
    const ids: string[] = [];
    for (const [i, at] of ages.entries()) {
      ids.push(await ticket(`Case ${i}`, { lastMessageAt: at, traderWroteAt: at }));
    }
    const colleague = await desk.agent();
    const { page } = await desk.agent();
    await page.goto(path);
    await expect.poll(() => subjects(page)).toEqual(['Case 0', 'Case 1', 'Case 2']);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.waitForURL(`**/tickets/${ids[1]}?**`);
    const active = await activeRow(page);
    const list = await page.getByRole('listbox', { name: 'Tickets' }).elementHandle();

    await act(colleague, 'tickets.setPriority', { ticket: ids[2], priority: 'urgent' });
    await expect.poll(() => options(page).nth(2).textContent()).toContain('Urgent');
    await page.getByRole('button', { name: /1 moved/ }).waitFor();
    expect(await subjects(page)).toEqual(['Case 0', 'Case 1', 'Case 2']);
    expect(await activeRow(page)).toBe(active);
    expect(await list!.evaluate((element) => element === document.activeElement)).toBe(true);
    await expectAccessible(page);

    await page.keyboard.press('.');
    await expect.poll(() => subjects(page)).toEqual(['Case 2', 'Case 0', 'Case 1']);
    expect(await activeRow(page)).toBe(active);
    expect(await page.getByRole('button', { name: /moved/ }).count()).toBe(0);
  });

  test('a new ticket is announced, counted, and shown when it is asked for', async () => {
    const { trader, path, ticket } = await openCase();
    await ticket('Case old');
    const { page } = await desk.agent();
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

  test('what happened while the service was away shows in place once it is back', async () => {
    const { path, ticket } = await openCase();
    const id = await ticket('Case gap');
    const { page } = await desk.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await desk.restart(async () => {
      await desk.services.pool.query(`update tickets set priority = 'high' where id = $1`, [id]);
      await page.locator('[data-connection=waiting], [data-connection=connecting]').waitFor();
    });
    await expect.poll(() => options(page).first().textContent()).toContain('High');
  });

  test('a list that could not be had comes by itself once the service is back', async () => {
    const { ticket } = await openCase();
    await ticket('Case late');
    const { page } = await desk.agent();
    await page.goto('/tickets');
    await options(page).first().waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await desk.restart(async () => {
      await page.keyboard.press('/');
      await page.keyboard.type('late');
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor({ timeout: 60_000 });
    });
    await expect.poll(() => subjects(page)).toEqual(['Case late']);
  }, 120_000);

  test('j and k go through the list, and the open ticket follows; Escape leads back to the list', async () => {
    const { path, ticket } = await openCase();
    const first = await ticket('Case one', { priority: 'high' });
    const second = await ticket('Case two');
    const { page } = await desk.agent();
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
    await page.waitForURL(desk.url + desk.at(path));
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(`**/tickets/${second}?**`);
    // The keys went from ticket to ticket in one place of the history.
    await page.goBack();
    await page.waitForURL(desk.url + desk.at(path));
  });

  test('a list of 5,000 is walked to its end without a gap or a double, and few of its rows are on the page', async () => {
    const trader = await createUser(desk.services, { firm: desk.firm, role: 'trader' });
    await desk.services.pool.query(
      `insert into tickets (id, workspace_id, trader_id, subject, status, priority, last_from, last_message_at,
         trader_wrote_at, created_at, search_text)
       select 'tkt_zz' || lpad(i::text, 24, '0'), $1, $2, 'Case ' || i, 'awaiting_trader', 'normal', 'admin', at, at, at, 'case'
       from generate_series(1, 5000) i, lateral (select now() - i * interval '1 minute' as at) times`,
      [desk.firm.id, trader.id],
    );
    const { page } = await desk.agent();
    await page.goto(`/tickets?q=${trader.id}&sort=-created_at`);
    await options(page).first().waitFor();
    const list = page.getByRole('listbox', { name: 'Tickets' });
    const { seen, mostRows } = await list.evaluate(walk, 1_200);
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, i) => [i + 1, `Case ${i + 1}`]));
    expect(mostRows).toBeLessThan(60);

    // Rows that were let go on the way come back.
    await list.focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await subjects(page))[0]).toBe('Case 1');
  }, 240_000);

  for (const [device, viewport] of [
    ['a wide screen', { width: 1280, height: 800 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const) {
    test(`going back finds the list where it was left, on ${device}`, async () => {
      const { path, ticket } = await openCase();
      for (let i = 0; i < 40; i++) await ticket(`Case ${i}`);
      const { page } = await desk.agent({ viewport });
      await page.goto(path);
      await options(page).first().waitFor();
      const list = page.getByRole('listbox', { name: 'Tickets' });
      await list.evaluate((element) => element.scrollTo(0, 1_500));
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

  test('a view is saved, chosen, renamed and deleted; its address works for everybody', async () => {
    const { path, ticket } = await openCase();
    await ticket('Case view');
    const { page } = await desk.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    const menu = page.getByRole('button', { name: /^Order:/ });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Casey alone');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Waiting for us' }).click();
    await page.waitForURL('**/tickets?status=waiting');
    const link = views.getByRole('link', { name: 'Casey alone' });
    expect(await link.getAttribute('href')).toBe(desk.at(path));
    await page.reload();
    await link.click();
    await expect.poll(() => subjects(page)).toEqual(['Case view']);
    await page.getByRole('heading', { name: 'Casey alone', level: 1 }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename this view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Waiting for us');
    await page.getByText('There is a view of that name.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Only Casey');
    await page.keyboard.press('Enter');
    await views.getByRole('link', { name: 'Only Casey' }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete this view' }).click();
    await views.getByRole('link', { name: 'Only Casey' }).waitFor({ state: 'detached' });
  });

  test('the counts follow what happens', async () => {
    const { ticket } = await openCase();
    const id = await ticket('Case counted', { status: 'awaiting_admin' });
    const colleague = await desk.agent();
    const { page } = await desk.agent();
    await page.goto('/tickets');
    const ended = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Ended/ });
    const count = async () => Number(/\d+/.exec((await ended.textContent()) ?? '')?.[0]);
    await expect.poll(count).toBeGreaterThanOrEqual(0);
    const before = await count();
    await page.locator('[data-connection=open]').waitFor();
    await act(colleague, 'tickets.setStatus', { ticket: id, status: 'resolved' });
    await expect.poll(count).toBe(before + 1);
  });
});

/** In the page: scrolls to the end, as fast as rows are drawn. Returns every row that was there, by its place. */
async function walk(list: Element, by: number): Promise<{ seen: [number, string][]; mostRows: number }> {
  const seen = new Map<number, string>();
  let mostRows = 0;
  const rows = () => [...list.querySelectorAll('[role=option]')];
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isDrawn = () => {
    const { top, bottom } = list.getBoundingClientRect();
    const shown = rows().map((row) => row.getBoundingClientRect());
    return shown.length > 0 && shown[0]!.top <= top + 1 && shown.at(-1)!.bottom >= bottom - 1;
  };
  for (let isEnd = false; !isEnd; ) {
    while (!isDrawn()) await frame();
    const drawn = rows();
    mostRows = Math.max(mostRows, drawn.length);
    for (const row of drawn) {
      seen.set(Number(row.getAttribute('aria-posinset')), /Case \d+/.exec(row.textContent ?? '')![0]);
    }
    isEnd = drawn.at(-1)!.getAttribute('aria-setsize') === drawn.at(-1)!.getAttribute('aria-posinset');
    list.scrollBy(0, by);
    await frame();
  }
  return { seen: [...seen].sort(([a], [b]) => a - b), mostRows };
}
