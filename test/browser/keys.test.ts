import { createUser } from '@firmdesk/domain/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { expectFewFetched, expectFlat, holdDown } from './switch-tickets.ts';

const SWITCHES = 1_000;

describeInBrowser('keys typed at any speed', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates tickets of a trader, and opens their list with the first one open. */
  async function openList(count: number, viewport = { width: 1280, height: 800 }) {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
    const ids = await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const at = new Date(Date.now() - (count - i) * 60_000);
        return app.ticket({
          trader,
          subject: `Case ${i}`,
          lastFrom: 'trader',
          lastMessageAt: at,
          traderWroteAt: at,
          messages: [{ body: `Question ${i}`, at }],
        });
      }),
    );
    const agent = await app.agent({ viewport });
    const { page } = agent;
    await page.goto(`/tickets?q=${trader.id}`);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('j');
    if (viewport.width < 1024) await page.keyboard.press('Enter');
    await isOpen(page, 0);
    return { ...agent, ids };
  }

  const stateOf = async (ids: string[]) => {
    const { rows } = await app.services.pool.query<{ id: string; status: string; priority: string }>(
      'select id, status, priority from tickets where workspace_id = $1 and id = any ($2)',
      [app.firm.id, ids],
    );
    return ids.map((id) => rows.find((row) => row.id === id)!);
  };

  for (const delay of [0, 40, 130, 250]) {
    test(`resolves the highlighted ticket, with ${delay} ms between the keys`, async () => {
      const { page, ids } = await openList(4);
      await page.keyboard.type('je', { delay });
      await expect
        .poll(async () => (await stateOf(ids)).map(({ status }) => status))
        .toEqual(['awaiting_admin', 'resolved', 'awaiting_admin', 'awaiting_admin']);
      // The next ticket opens.
      await isOpen(page, 2);
    });

    test(`types into the draft and the menu of the highlighted ticket, with ${delay} ms between the keys`, async () => {
      const { page, ids } = await openList(4);
      // Each of these letters is a shortcut elsewhere.
      await page.keyboard.type('jrjeep', { delay });
      await isOpen(page, 1);
      await expect.poll(() => reply(page).inputValue()).toBe('jeep');
      await page.keyboard.press('Escape');
      await page.keyboard.type('jpu', { delay });
      await page.keyboard.press('Enter');
      await page.keyboard.type('rtask', { delay });
      await isOpen(page, 2);
      await expect.poll(() => reply(page).inputValue()).toBe('task');
      await expect
        .poll(async () => (await stateOf(ids)).map(({ priority }) => priority))
        .toEqual(['normal', 'normal', 'urgent', 'normal']);
      expect((await stateOf(ids)).map(({ status }) => status)).toEqual(Array(4).fill('awaiting_admin'));
    });
  }

  test('undoes resolving with z, and a priority with the button', async () => {
    const { page, ids } = await openList(3);
    const states = async () => (await stateOf(ids)).map(({ status, priority }) => `${status} ${priority}`);
    // It can be undone for eight seconds only: no other wait comes before the undo.
    await page.keyboard.press('e');
    await expect.poll(states).toContain('resolved normal');
    await page.keyboard.press('z');
    await isOpen(page, 0);
    await expect.poll(states).toEqual(Array(3).fill('awaiting_admin normal'));
    await page
      .getByRole('status')
      .filter({ hasText: /^Undone: / })
      .waitFor({ state: 'attached' });
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect.poll(states).toContain('awaiting_admin urgent');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(states).toEqual(Array(3).fill('awaiting_admin normal'));
    await page.keyboard.type('rhello');
    await expect.poll(() => reply(page).inputValue()).toBe('hello');
  });

  test('lets keys wait for a ticket that loads slowly, in order', async () => {
    const { page, ids } = await openList(6);
    const gate = Promise.withResolvers<void>();
    await page.route(/trpc\/[^?]*tickets\.(get|messages)/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.keyboard.press('End');
    await page.keyboard.type('rgood morning');
    expect(await reply(page).count()).toBeLessThanOrEqual(1);
    gate.resolve();
    await isOpen(page, 5);
    await expect.poll(() => reply(page).inputValue()).toBe('good morning');
    expect((await stateOf(ids)).every(({ status }) => status === 'awaiting_admin')).toBe(true);
  });

  test('acts on the ticket that is shown in place of a merged one, also if that loads slowly', async () => {
    const { page, ids, ...agent } = await openList(5);
    await app.call(agent, 'tickets.merge', { ticket: ids[1], into: ids[4] });
    await page.reload();
    // Closed tickets are last.
    await page.getByRole('option', { name: /Case 1.*Closed/ }).waitFor();
    await isOpen(page, 0);
    const gate = Promise.withResolvers<void>();
    await page.route(new RegExp(`tickets\\.get[^/]*${ids[4]}`), async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('listbox', { name: 'Tickets' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('rtask');
    await page.getByText('was merged into this ticket').waitFor();
    gate.resolve();
    await isOpen(page, 4);
    await expect.poll(() => reply(page).inputValue()).toBe('task');
    await page.keyboard.press('Escape');
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await stateOf(ids))[4]!.priority).toBe('urgent');
    await page.keyboard.type('kk');
    await isOpen(page, 3);
    // Now it is loaded.
    await page.keyboard.type('jji');
    await page.getByRole('button', { name: 'Assignee: Robin Example' }).waitFor();
    expect((await stateOf(ids)).map(({ priority }) => priority)).toEqual([
      ...Array(4).fill('normal'),
      'urgent',
    ]);
  });

  test('acts on the ticket that is shown in place of one that a colleague has merged since it was seen', async () => {
    const { page, ids } = await openList(5);
    await page.keyboard.press('j');
    await isOpen(page, 1);
    await page.keyboard.press('k');
    await isOpen(page, 0);
    const colleague = await app.agent();
    await app.call(colleague, 'tickets.merge', { ticket: ids[1], into: ids[4] });
    await page.getByRole('option', { name: /Case 1.*Closed/ }).waitFor();
    await page.keyboard.type('jrtask');
    await isOpen(page, 4);
    await expect.poll(() => reply(page).inputValue()).toBe('task');
  });

  test('acts on the ticket that covers the list on a narrow screen', async () => {
    const { page, ids } = await openList(3, { width: 800, height: 900 });
    await page.keyboard.type('je');
    await expect
      .poll(async () => (await stateOf(ids)).map(({ status }) => status))
      .toEqual(['awaiting_admin', 'resolved', 'awaiting_admin']);
  });

  test('acts on the selection only while the list is visible', async () => {
    const { page, ids } = await openList(3, { width: 800, height: 900 });
    const selected = page.getByRole('region', { name: 'Selected tickets' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.keyboard.press('J');
    await selected.getByText('2 selected').waitFor();
    await page.keyboard.press('Enter');
    await isOpen(page, 1);
    // The ticket covers the list: keys that select have no effect, the others act on it.
    await page.keyboard.type('Xe');
    await isOpen(page, 2);
    await page.keyboard.press('Escape');
    await selected.getByText('2 selected').waitFor();
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await stateOf(ids)).map(({ status, priority }) => `${status} ${priority}`))
      .toEqual(['awaiting_admin urgent', 'resolved urgent', 'awaiting_admin normal']);
  });

  test('fetches only the tickets around the one where a held key stops, and stays flat over 1,000 switches', async () => {
    const { page } = await openList(160);
    // The rows below 100 are loaded meanwhile, and no key is lost.
    await holdDown(page, 150);
    await isOpen(page, 150);
    await page.keyboard.press('Home');
    await isOpen(page, 0);
    await expectFewFetched(page, 150, () => isOpen(page, 150));
    await expectFlat(page, { rows: 150, times: SWITCHES });
  }, 900_000);
});

async function isOpen(page: Page, number: number): Promise<void> {
  await page.getByRole('heading', { name: new RegExp(`^Case ${number}\\b`), level: 1 }).waitFor();
  await page.getByText(`Question ${number}`, { exact: true }).waitFor();
}

function reply(page: Page) {
  return page.getByRole('textbox', { name: /^Reply to/ });
}
