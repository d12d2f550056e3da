import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { type CreateTicketInput, createTag, createTeam, createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { createManyTickets } from './create-many-tickets.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('the tools of the ticket list', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates a trader with tickets. `path` lists only these, the first one at the top. */
  async function openCase(tickets: Partial<CreateTicketInput>[]) {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
    const ids: string[] = [];
    for (const [i, over] of tickets.entries()) {
      const at = new Date(Date.now() - (tickets.length - i) * 3_600_000);
      ids.push(
        await app.ticket({ trader, createdAt: at, subject: `Case ${i + 1}`, lastFrom: 'trader', ...over }),
      );
    }
    return { trader, ids, path: `/tickets?q=${trader.id}&sort=created_at` };
  }

  const options = (page: Page) => page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
  const row = (page: Page, subject: string) => options(page).filter({ hasText: subject });

  describe('a bulk change', () => {
    test('of all matching tickets: asks first, and reports the skipped ones with the reasons', async () => {
      const tag = await createTag(app.services, { firm: app.firm, name: 'chargeback' });
      const { path } = await openCase([{ tags: [tag] }, {}, { status: 'closed' }]);
      const { page } = await app.agent({ viewport: { width: 390, height: 844 } });
      await page.goto(path);
      await row(page, 'Case 3').waitFor();
      const bar = page.getByRole('region', { name: 'Selected tickets' });
      await page.getByRole('button', { name: /^Sort: / }).click();
      await page.getByRole('menuitem', { name: 'Select tickets' }).click();
      await bar.getByText('0 selected').waitFor();
      await bar.getByRole('button', { name: 'Select all that match' }).click();
      // A click deselects a row.
      await row(page, 'Case 1').locator('[data-select]').click();
      await bar.getByText('All matching tickets except 1').waitFor();
      await row(page, 'Case 1').locator('[data-select]').click();
      await bar.getByRole('button', { name: 'Tags' }).click();
      await page.getByRole('menuitem', { name: 'chargeback' }).first().click();
      const dialog = page.getByRole('alertdialog');
      await dialog.waitFor();
      await expectAccessible(page);
      await dialog.locator('button').last().click();
      const report = page.getByRole('region', { name: 'Bulk change' });
      await report.getByText('2 tickets changed, 1 skipped').waitFor();
      // A reload still shows the report.
      await page.reload();
      await report.getByText('2 tickets changed, 1 skipped').waitFor();
      await report.getByRole('button', { name: 'Show skipped tickets' }).click();
      const skipped = page.getByRole('dialog', { name: 'Skipped tickets' });
      await skipped.getByText('Had the value already').waitFor();
      await expectAccessible(page);
      await skipped.getByRole('button', { name: 'Close' }).click();
      await report.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('2 tickets changed back').waitFor();
      await report.waitFor({ state: 'detached' });
    });

    test('of chosen tickets: sets tag, team, assignee and status, live in a colleague’s list and in the history', async () => {
      await createTag(app.services, { firm: app.firm, name: 'refund' });
      await createTeam(app.services, { firm: app.firm, name: 'Finance' });
      const { path } = await openCase([{}, {}, {}]);
      const { page } = await app.agent({ name: 'Ada Able' });
      const colleague = await app.agent({ name: 'Ben Best' });
      for (const each of [page, colleague.page]) {
        await each.goto(path);
        await row(each, 'Case 3').waitFor();
        await each.locator('[data-connection=open]').waitFor();
      }
      await page.keyboard.press('j');
      const bar = page.getByRole('region', { name: 'Selected tickets' });
      // The second range goes back to the first row, and so on.
      for (const [range, menu, item, shown] of [
        ['xJ', 'l', 'refund', 'refund'],
        ['xK', 't', 'Finance', 'Finance'],
        ['xJ', 'a', 'Ben Best', 'Assigned to Ben Best'],
        ['xK', 's', 'Resolved', 'Resolved'],
      ] as const) {
        await page.keyboard.type(range);
        await bar.getByText('2 selected').waitFor();
        await page.keyboard.press(menu);
        await page.getByRole('menuitem', { name: item }).first().click();
        for (const subject of ['Case 1', 'Case 2']) {
          const changed = row(colleague.page, subject);
          await changed.getByText(shown).or(changed.getByTitle(shown)).first().waitFor();
        }
        await bar.waitFor({ state: 'hidden' });
      }
      expect(await row(colleague.page, 'Case 3').getByText('Needs reply').count()).toBe(1);
      await row(page, 'Case 1').click();
      const history = page.getByRole('region', { name: 'Conversation' });
      await history.getByText(/Ada Able made 4 changes/).click();
      for (const change of [
        'added the tag refund',
        'moved this to the team Finance',
        'assigned this to Ben Best',
        'resolved this',
      ])
        await history.getByText(`Ada Able ${change}`).waitFor();
    });

    test('of 5,000 matching tickets: shows its progress, also after a reload, and its report', async () => {
      const trader = await createManyTickets(app, 5_000, 'bk');
      const { page } = await app.agent();
      await page.goto(`/tickets?q=${trader.id}&sort=-created_at`);
      await row(page, 'Case 1').first().waitFor();
      await page.keyboard.type('Xpu');
      await page.keyboard.press('Enter');
      await page.getByRole('alertdialog').locator('button').last().click();
      const report = page.getByRole('region', { name: 'Bulk change' });
      const priorities = async () => {
        const { rows } = await app.services.pool.query(
          'select distinct priority from tickets where workspace_id = $1 and trader_id = $2 order by priority',
          [app.firm.id, trader.id],
        );
        return rows.map(({ priority }) => priority);
      };
      await expect.poll(priorities).toEqual(['normal', 'urgent']);
      // The change waits, however long the page takes.
      await app.withoutWorker(async () => {
        const progress = report.getByRole('progressbar', { name: /^[\d,]+ of 5,000$/ });
        const hasProgress = async () => Number(await progress.getAttribute('value')) > 0;
        await report.getByText('Changing 5,000 tickets: priority urgent').waitFor();
        await expect.poll(hasProgress).toBe(true);
        await page.reload();
        await expect.poll(hasProgress).toBe(true);
      });
      await report.getByText('5,000 tickets changed').waitFor({ timeout: 240_000 });
      await row(page, 'Case 1').first().getByText('Urgent').waitFor();
      expect(await priorities()).toEqual(['urgent']);
    });
  });

  test('the days of before: and after: begin in the time zone of the account', async () => {
    const { trader } = await openCase([
      { lastMessageAt: new Date('2026-03-10T10:30:00Z') },
      { lastMessageAt: new Date('2026-03-10T11:30:00Z') },
    ]);
    const { page, id } = await app.agent();
    // Midnight is at 11:00 in UTC. The browser is in London.
    await app.services.pool.query(`update users set timezone = 'Pacific/Auckland' where id = $1`, [id]);
    await page.goto('/tickets');
    const field = page.getByRole('combobox', { name: 'Search tickets' });
    for (const [operator, subject] of [
      ['after:2026-03-11', 'Case 2'],
      ['before:2026-03-11', 'Case 1'],
    ] as const) {
      await field.fill(`${trader.id} ${operator}`);
      await field.press('Enter');
      await expect.poll(() => options(page).allInnerTexts()).toEqual([expect.stringContaining(subject)]);
      await page.getByRole('button', { name: 'Clear all' }).click();
    }
  });

  test('selects a range, shortens it, and begins it at the active row if its first one has left the list', async () => {
    const { ids, trader } = await openCase(Array.from({ length: 5 }, () => ({})));
    const colleague = await app.agent();
    const { page } = await app.agent();
    await page.goto(`/tickets?status=waiting&q=${trader.id}&sort=created_at`);
    await row(page, 'Case 5').waitFor();
    const selected = () =>
      options(page).evaluateAll((rows) =>
        rows
          .filter((each) => each.getAttribute('aria-checked') === 'true')
          .map((each) => /Case (\d)/.exec(each.textContent ?? '')?.[1]),
      );
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    for (const key of ['J', 'J']) await page.keyboard.press(key);
    await expect.poll(selected).toEqual(['1', '2', '3']);
    await page.keyboard.press('K');
    await expect.poll(selected).toEqual(['1', '2']);
    // Upwards too, beside what was selected before.
    await row(page, 'Case 5').locator('[data-select]').click();
    await row(page, 'Case 3').click({ modifiers: ['Shift'] });
    await expect.poll(selected).toEqual(['1', '2', '3', '4', '5']);
    await row(page, 'Case 4').click({ modifiers: ['Shift'] });
    await expect.poll(selected).toEqual(['1', '2', '4', '5']);

    await page.keyboard.press('Escape');
    await row(page, 'Case 1').locator('[data-select]').click();
    await page.keyboard.type('jj');
    await page.getByRole('heading', { name: /^Case 4/, level: 1 }).waitFor();
    await app.call(colleague, 'tickets.setStatus', { ticket: ids[0], status: 'resolved' });
    await page.getByRole('button', { name: /Refresh/ }).click();
    await row(page, 'Case 1').waitFor({ state: 'detached' });
    await row(page, 'Case 5').click({ modifiers: ['Shift'] });
    await expect.poll(selected).toEqual(['4', '5']);
  });

  test('saved views belong to the account, are shared with a team, counted and ordered', async () => {
    const { trader } = await openCase([{ priority: 'urgent' }, {}]);
    const ada = await app.agent({ name: 'Ada Able' });
    const ben = await app.agent({ name: 'Ben Best' });
    await createTeam(app.services, { firm: app.firm, name: 'Payments', members: [ada, ben] });
    // An earlier version has stored views in the browser. They move to the account once.
    await ada.page.addInitScript(
      ([key, value]) => {
        if (!sessionStorage.getItem('stored')) localStorage.setItem(key!, value!);
        sessionStorage.setItem('stored', 'yes');
      },
      [
        `firmdesk.views.${app.firm.slug}`,
        JSON.stringify([{ name: 'Earlier', search: { q: trader.id, priority: 'urgent' } }]),
      ] as const,
    );
    const linksOf = (page: Page) => page.getByRole('navigation', { name: 'Views' }).getByRole('link');
    const saved = async (page: Page) =>
      (await linksOf(page).allInnerTexts()).slice(10).map((text) => text.replace(/\s+/g, ' '));
    const { page } = ada;
    await page.goto('/tickets');
    await expect.poll(() => saved(page)).toEqual(['Earlier 1']);
    await page.reload();
    await expect.poll(() => saved(page)).toEqual(['Earlier 1']);

    await page.goto(`/tickets?q=${trader.id}`);
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Casey');
    await selectValue(dialog.getByLabel('Visible to'), 'Team Payments');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const shared = 'Casey Shared with a team 2';
    await expect.poll(() => saved(page)).toEqual(['Earlier 1', shared]);
    await ben.page.goto('/tickets');
    await expect.poll(() => saved(ben.page)).toEqual([shared]);

    // The count follows changes, and the order is the account's.
    await withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        open: 'Case 3',
        from: trader.email,
        body: 'Where is it?',
        via_email: false,
      }),
    );
    const recounted = 'Casey Shared with a team 3';
    await expect.poll(() => saved(page)).toEqual(['Earlier 1', recounted]);
    await linksOf(page).filter({ hasText: 'Casey' }).focus();
    // Until the service has answered, a reload can lose the order.
    const reordered = page.waitForResponse(/tickets\.views\.reorder/);
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => saved(page)).toEqual([recounted, 'Earlier 1']);
    await reordered;
    await page.reload();
    await expect.poll(() => saved(page)).toEqual([recounted, 'Earlier 1']);
    await linksOf(page)
      .filter({ hasText: 'Earlier' })
      .dragTo(linksOf(page).filter({ hasText: 'Casey' }));
    await expect.poll(() => saved(page)).toEqual(['Earlier 1', recounted]);

    // Deleting can be undone.
    await linksOf(page).filter({ hasText: 'Casey' }).click();
    await page.getByRole('heading', { name: 'Casey', level: 1 }).waitFor();
    await page.getByRole('button', { name: /^Sort: / }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await expect.poll(() => saved(page)).toEqual(['Earlier 1']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => saved(page)).toEqual(['Earlier 1', recounted]);
  });

  test('saves, selects, renames and deletes a view whose URL works for every account', async () => {
    const { path } = await openCase([{}]);
    const { page } = await app.agent();
    await page.goto(path);
    await options(page).first().waitFor();
    const menu = page.getByRole('button', { name: /^Sort:/ });
    const save = page.getByRole('button', { name: 'Save view' });
    await save.click();
    await page.getByRole('dialog', { name: 'Save view' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => save.evaluate((button) => button === document.activeElement)).toBe(true);
    await save.click();
    // The field has the focus.
    await page.keyboard.type('Casey alone');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Needs reply' }).click();
    await page.waitForURL('**/tickets?status=waiting');
    const link = views.getByRole('link', { name: 'Casey alone' });
    expect(await link.getAttribute('href')).toBe(app.pathOf(path));
    await page.reload();
    await link.click();
    await expect.poll(() => options(page).allInnerTexts()).toEqual([expect.stringContaining('Case 1')]);
    await page.getByRole('heading', { name: 'Casey alone', level: 1 }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Rename or share view…' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Needs reply');
    await page.getByText('A view with this name already exists.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Only Casey');
    await page.keyboard.press('Enter');
    await views.getByRole('link', { name: 'Only Casey' }).waitFor();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await views.getByRole('link', { name: 'Only Casey' }).waitFor({ state: 'detached' });
  });

  test('updates the counts after changes', async () => {
    const { ids } = await openCase([{}, {}]);
    const colleague = await app.agent();
    const { page } = await app.agent();
    await page.goto('/tickets');
    const done = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: /^Done/ });
    const count = async () => Number(/\d+/.exec((await done.textContent()) ?? '')?.[0]);
    await expect.poll(count).toBeGreaterThanOrEqual(0);
    const before = await count();
    await page.locator('[data-connection=open]').waitFor();
    await app.call(colleague, 'tickets.setStatus', { ticket: ids[0], status: 'resolved' });
    await expect.poll(count).toBe(before + 1);

    // After an own change the page does not wait until the counts that the service has cached expire.
    await page.goto(`/tickets/${ids[1]}`);
    await page.getByRole('button', { name: /^Status: / }).waitFor();
    const counted = page.waitForRequest(/tickets\.counts.*fresh/);
    await page.keyboard.press('e');
    await counted;
    await expect.poll(count).toBe(before + 2);
  });

  test('search operators fill the filters, matches are highlighted, and Enter shows the matching message', async () => {
    await createTag(app.services, { firm: app.firm, name: 'Needs review' });
    const many = Array.from({ length: 70 }, (_, i) => ({
      body: `Message ${i}`,
      at: new Date(Date.now() - (100 - i) * 60_000),
    }));
    const { trader } = await openCase([
      { messages: [{ body: 'The Wire  transfer is late.', at: new Date(Date.now() - 86_400_000) }, ...many] },
      { messages: [{ body: 'Late: the transfer by wire.' }] },
    ]);
    const { page } = await app.agent();
    await page.goto(`/tickets?sort=created_at`);
    const field = page.getByRole('combobox', { name: 'Search tickets' });
    const chips = page.getByRole('list', { name: 'Filters' });
    await page.getByRole('listbox', { name: 'Tickets' }).getByRole('option').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(`from:${trader.email} status:needs-reply tag:unknown "wire transfer"`);
    await page.keyboard.press('Enter');
    await page.getByText(/“tag:unknown” is not known/).waitFor();
    await expectAccessible(page);
    // The operators beside it filter, and the words wait in the field.
    await chips.getByText(`Trader: ${trader.email}`).waitFor();
    await chips.getByText('Status is Needs reply').waitFor();
    await expect.poll(() => field.inputValue()).toBe('tag:unknown "wire transfer"');
    expect(new URL(page.url()).searchParams.get('q')).toBeNull();
    await field.fill('"wire transfer"');
    await field.press('Enter');
    await expect.poll(() => field.inputValue()).toBe('"wire transfer"');
    await expect.poll(() => options(page).allInnerTexts()).toEqual([expect.stringContaining('Case 1')]);
    // The message is on an older page of the conversation.
    await field.press('Enter');
    const match = page.getByRole('region', { name: 'Conversation' }).getByText('The Wire  transfer is late.');
    await expect.poll(() => match.isVisible()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('The Wire');
    const highlighted = () =>
      page.evaluate(() => [...(CSS.highlights.get('search-match') ?? [])].map((range) => String(range)));
    await expect.poll(highlighted).toEqual(['Wire  transfer']);
    await expectAccessible(page);
    // Recent searches are offered when the field is empty.
    await field.fill('');
    await page.getByRole('group', { name: 'Recent searches' }).getByRole('option').first().waitFor();
    await expectAccessible(page);
  });
});
