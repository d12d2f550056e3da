import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';
import { fieldText } from './case-list.ts';
import { openSecondDevice } from './second-device.ts';

describeInBrowser('related tickets', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('links two tickets and merges them, also in a colleague’s window, with the unsent text', async () => {
    const into = await app.ticket({ subject: 'Payout of May', messages: [{ body: 'It is late.' }] });
    const {
      ticket,
      agents: [ada, ben],
    } = await app.openTicketFor('Ada Able', 'Ben Best');
    const { page } = ada!;
    const colleague = ben!.page;
    const field = colleague.getByRole('textbox', { name: /^Reply to/ });
    const row = page.getByRole('option', { name: /Payout question/ });
    await row.getByText('Ben Best is viewing').waitFor();
    const header = page.getByRole('region', { name: 'Ticket', exact: true });
    // He types until it is seen, however late that is.
    let text = 'On ';
    await expect
      .poll(async () => {
        text += '.';
        await field.fill(text);
        return header.getByText('Ben Best is typing…').isVisible();
      })
      .toBe(true);
    await field.fill('On Monday');
    await header.getByText('Ben Best is viewing').waitFor();
    await expectAccessible(page);

    await page.keyboard.press('L');
    const picker = page.getByRole('dialog', { name: /^Link #/ });
    await picker.getByRole('option', { name: /Payout of May/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const links = page.getByRole('region', { name: 'Linked tickets' });
    await links.getByText('Payout of May').waitFor();
    // The toast stays while the pointer is on it.
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await undo.hover();
    await colleague.getByRole('region', { name: 'Linked tickets' }).getByText('Payout of May').waitFor();
    await undo.click();
    await links.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Merge into another ticket…' }).click();
    await page
      .getByRole('dialog', { name: /^Merge #/ })
      .getByRole('option', { name: /Payout of May/ })
      .click();
    const confirmation = page.getByRole('alertdialog');
    await confirmation.getByText('This can’t be undone').waitFor();
    await expectAccessible(page);
    await confirmation.getByRole('button', { name: 'Merge tickets' }).click();
    for (const each of [page, colleague]) {
      await each.getByRole('heading', { level: 1, name: /^Payout of May/ }).waitFor();
      const conversation = each.getByRole('region', { name: 'Conversation' });
      for (const text of ['It is late.', QUESTION]) await conversation.getByText(text).first().waitFor();
      await each
        .getByText(/was merged into this ticket\.$/)
        .first()
        .waitFor();
    }
    await expect.poll(() => field.evaluate(fieldText)).toBe('On Monday');
    await ben!.context.close();
    await header.getByText('Ben Best is viewing').waitFor({ state: 'hidden' });
    await page.goto(`/tickets/${ticket}`);
    await page.getByRole('heading', { level: 1, name: /^Payout of May/ }).waitFor();
    const { rows } = await app.services.pool.query(
      'select id, status, merged_into from tickets where workspace_id = $1 order by id',
      [app.firm.id],
    );
    expect(rows).toContainEqual({ id: ticket, status: 'closed', merged_into: into });
  });

  test('moves the unsent texts of a merged ticket on each device of their author, and joins those of both', async () => {
    const into = await app.ticket({ subject: 'Payout of May', messages: [{ body: QUESTION }] });
    const {
      ticket,
      agents: [dora, ben],
    } = await app.openTicketFor('Dora Draft', 'Ben Best');
    const { page } = dora!;
    const field = (of: typeof page) => of.getByRole('textbox', { name: /^Reply to|^Internal note/ });
    const stored = async () =>
      (
        await app.services.pool.query<{ ticket_id: string; mode: string; text: string }>(
          'select ticket_id, mode, text from reply_drafts where workspace_id = $1 and user_id = $2 order by mode desc, text',
          [app.firm.id, dora!.id],
        )
      ).rows;
    await field(page).fill('About June.');
    await expect.poll(async () => (await stored()).length).toBe(1);
    await openTicket(page, into);
    await field(page).fill('About May.');
    await expect.poll(async () => (await stored()).length).toBe(2);
    await openTicket(page, ticket);
    const second = await openSecondDevice(app, dora!);
    await openTicket(second, ticket);
    await expect.poll(() => field(second).evaluate(fieldText)).toBe('About June.');

    await app.call(ben!, 'tickets.merge', { ticket, into });
    const both = 'About June.\n\nAbout May.';
    expect(await stored()).toEqual([{ ticket_id: into, mode: 'reply', text: both }]);
    for (const each of [page, second]) {
      await each.getByRole('heading', { level: 1, name: /^Payout of May/ }).waitFor();
      await expect.poll(() => field(each).evaluate(fieldText)).toBe(both);
      const badges = each.getByRole('option').getByText('Draft', { exact: true });
      await expect.poll(() => badges.count()).toBe(1);
      await each
        .getByRole('option', { name: /Payout of May/ })
        .getByText('Draft', { exact: true })
        .waitFor();
    }
    // The merge was no change on another device, of which the author would have to decide.
    await field(second).fill('About both.');
    await expect.poll(() => field(page).evaluate(fieldText)).toBe('About both.');
    for (const each of [page, second])
      expect(await each.getByText('You have also changed this draft').count()).toBe(0);
    expect(await stored()).toEqual([{ ticket_id: into, mode: 'reply', text: 'About both.' }]);
  });

  test('opens the next ticket after a snooze, and lists the snoozed one with a mark once its trader writes', async () => {
    await app.services.pool.query('delete from tickets where workspace_id = $1', [app.firm.id]);
    const other = await app.ticket({ subject: 'Other question', messages: [{ body: 'Hello?' }] });
    const ticket = await app.ticket({ priority: 'urgent', messages: [{ body: QUESTION }] });
    const { page } = await app.agent();
    await openTicket(page, ticket);
    const row = page
      .getByRole('listbox', { name: 'Tickets' })
      .getByRole('option', { name: /Payout question/ });
    await row.waitFor();
    await page.keyboard.press('h');
    const dialog = page.getByRole('dialog', { name: /^Snooze #/ });
    await dialog.getByRole('button', { name: /^Tomorrow/ }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: /^Tomorrow/ }).click();
    // An own change leaves the list at once.
    await row.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: /^Other question/ }).waitFor();
    expect(new URL(page.url()).pathname).toContain(other);
    await page.keyboard.press('z');
    await page.getByRole('heading', { level: 1, name: /^Payout question/ }).waitFor();
    await row.waitFor();
    await page.keyboard.press('h');
    await dialog.getByRole('button', { name: 'Until the trader writes' }).click();
    await row.waitFor({ state: 'detached' });
    const isSnoozed = async () =>
      (
        await app.services.pool.query('select from tickets where id = $1 and snoozed_at is not null', [
          ticket,
        ])
      ).rowCount;
    await expect.poll(isSnoozed).toBe(1);
    await page.goto('/tickets');
    await page.getByRole('option', { name: /Other question/ }).waitFor();
    expect(await row.count()).toBe(0);
    await page.goto('/tickets?status=open&snoozed=only');
    await row.getByText('Snoozed until the trader writes').waitFor({ state: 'attached' });
    await withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        ticket,
        from: app.trader.email,
        body: 'Any news?',
        via_email: false,
      }),
    );
    await page.goto('/tickets');
    await row.getByText('Back from snooze').waitFor({ state: 'attached' });
  });

  test('wakes a snoozed ticket at its time, in an open list', async () => {
    await app.ticket({ subject: 'Present question' });
    const ticket = await app.ticket({ subject: 'Later question', messages: [{ body: QUESTION }] });
    const { page } = await app.agent();
    const colleague = (await app.agent()).page;
    const rowOn = (each: Page) => each.getByRole('option', { name: /Later question/ });
    await openTicket(page, ticket);
    await app.withoutWorker(async () => {
      await page.keyboard.press('h');
      await page
        .getByRole('dialog', { name: /^Snooze #/ })
        .getByRole('button', { name: /^Tomorrow/ })
        .click();
      // The time comes now.
      const wake = `update job_requests set run_at = now() where workspace_id = $1 and task = 'tickets.wake'`;
      await expect.poll(async () => (await app.services.pool.query(wake, [app.firm.id])).rowCount).toBe(1);
      await colleague.goto('/tickets?status=open&snoozed=only');
      await rowOn(colleague)
        .getByText(/^Snoozed until/)
        .waitFor({ state: 'attached' });
      await colleague.goto('/tickets?status=waiting');
      await colleague.locator('[data-connection=open]').waitFor();
      await colleague.getByRole('option', { name: /Present question/ }).waitFor();
      expect(await rowOn(colleague).count()).toBe(0);
    });
    await colleague.getByRole('button', { name: /Refresh/ }).click();
    await rowOn(colleague).getByText('Back from snooze').waitFor({ state: 'attached' });
  });

  test('wakes a snoozed ticket that another one is merged into, in the list of open tickets', async () => {
    const ticket = await app.ticket({ subject: 'New question', messages: [{ body: QUESTION }] });
    const into = await app.ticket({ subject: 'Sleeping question', messages: [{ body: 'It is late.' }] });
    const agent = await app.agent();
    await app.call(agent, 'tickets.snooze', { ticket: into, until: null });
    const { page } = agent;
    await openTicket(page, ticket);
    const list = page.getByRole('listbox', { name: 'Tickets' });
    const sleeping = list.getByRole('option', { name: /Sleeping question/ });
    await list.getByRole('option', { name: /New question/ }).waitFor();
    expect(await sleeping.count()).toBe(0);
    await page.keyboard.press('M');
    await page
      .getByRole('dialog', { name: /^Merge #/ })
      .getByRole('option', { name: /Sleeping question/ })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Merge tickets' }).click();
    await page.getByRole('heading', { level: 1, name: /^Sleeping question/ }).waitFor();
    await page.getByRole('button', { name: /Refresh/ }).click();
    await sleeping.getByText('Back from snooze').waitFor({ state: 'attached' });
    await page.goto('/tickets?status=waiting');
    await sleeping.getByText('Back from snooze').waitFor({ state: 'attached' });
  });

  test('opens a ticket for a trader, and keeps what was typed until then', async () => {
    const { page } = await app.agent({ name: 'Nora North' });
    await page.goto('/tickets');
    await page
      .getByRole('listbox', { name: 'Tickets' })
      .or(page.getByText('No tickets yet'))
      .first()
      .waitFor();
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog', { name: 'New ticket' });
    await dialog.getByLabel('Trader’s name or email').fill('nobody@firm.example');
    await dialog.getByLabel('Subject').fill('Your documents');
    await dialog.getByLabel('Message', { exact: true }).fill('Please upload them.');
    await dialog.getByRole('button', { name: 'Open ticket' }).click();
    await dialog.getByText(/must be the address of a member/).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'New ticket' }).click();
    expect(await dialog.getByLabel('Message', { exact: true }).evaluate(fieldText)).toBe(
      'Please upload them.',
    );
    await dialog.getByLabel('Trader’s name or email').fill(app.trader.email);
    await dialog.getByRole('button', { name: 'Open ticket' }).click();
    await page.getByRole('heading', { level: 1, name: /^Your documents/ }).waitFor();
    await page
      .getByRole('article', { name: 'Message, Nora North' })
      .getByText('Please upload them.')
      .waitFor();
    await dialog.waitFor({ state: 'hidden' });
    const { rows } = await app.services.pool.query(
      `select status, assignee_id is not null as assigned from tickets where workspace_id = $1 and subject = 'Your documents'`,
      [app.firm.id],
    );
    expect(rows).toEqual([{ status: 'awaiting_trader', assigned: true }]);
  });
});
