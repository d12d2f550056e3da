import { createCalendar, createEvents, createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import {
  type Agent,
  type ConsoleUnderTest,
  describeInBrowser,
  holdNext,
  openConsole,
  openTicket,
  QUESTION,
} from './browser.ts';
import { fieldText } from './case-list.ts';

describeInBrowser('undo', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const bodiesOf = async (ticket: string) => {
    const { rows } = await app.services.pool.query<{ body: string }>(
      `select body from ticket_messages where ticket_id = $1 and from_kind = 'admin' order by created_at`,
      [ticket],
    );
    return rows.map(({ body }) => body);
  };

  const statusOf = async (ticket: string) => {
    const { rows } = await app.services.pool.query<{ status: string }>(
      'select status from tickets where workspace_id = $1 and id = $2',
      [app.firm.id, ticket],
    );
    return rows[0]!.status;
  };

  /** Lets the delayed sends run once the worker runs again, so that the test does not wait for it. */
  const endHold = () =>
    app.services.pool.query(
      `update job_requests set run_at = now() where workspace_id = $1 and task = 'tickets.send_delayed'`,
      [app.firm.id],
    );

  test('takes a reply back before it is sent, and sends it once also if the window is closed', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page, context } = await app.agent({ delaysSends: true });
    await openTicket(page, ticket);
    const field = page.getByRole('textbox', { name: /^Reply to/ });
    const held = page.getByRole('article', { name: 'Your reply, being sent' });
    const write = async (text: string) => {
      await field.fill(text);
      await field.press('Control+Enter');
      await held.getByText(text).waitFor();
    };
    // Delayed sends do not run meanwhile, however slow the machine is.
    await app.withoutWorker(async () => {
      await write('Paid on Monday.');
      await field.press('Escape');
      await page.keyboard.press('z');
      await held.waitFor({ state: 'hidden' });
      await page.getByRole('status').getByText('Undone: Sending your reply').waitFor({ state: 'attached' });
      await expect.poll(() => field.evaluate(fieldText)).toBe('Paid on Monday.');

      await write('Paid on Tuesday.');
      await expectAccessible(page);
      await held.getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => field.evaluate(fieldText)).toBe('Paid on Tuesday.');
      await write('Paid on Wednesday.');
      // A reload still shows it.
      await page.reload();
      await held.getByText('Paid on Wednesday.').waitFor();
      await context.close();
      expect(await bodiesOf(ticket)).toEqual([]);
      await endHold();
    });
    await expect.poll(() => bodiesOf(ticket)).toEqual(['Paid on Wednesday.']);
    const { rows } = await app.services.pool.query('select from delayed_sends where workspace_id = $1', [
      app.firm.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('shows a delayed send to a colleague once it is sent, in the place of its author’s', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const ada = await app.agent({ name: 'Ada Able', delaysSends: true });
    const ben = await app.agent({ name: 'Ben Best' });
    for (const { page } of [ada, ben]) await openTicket(page, ticket);
    const field = ada.page.getByRole('textbox', { name: /^Reply to/ });
    await app.withoutWorker(async () => {
      await field.fill('Paid on Monday.');
      await field.press('Control+Enter');
      await ada.page.getByRole('article', { name: 'Your reply, being sent' }).waitFor();
      expect(await bodiesOf(ticket)).toEqual([]);
      await endHold();
    });
    for (const { page } of [ada, ben])
      await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('Paid on Monday.').waitFor();
    const conversation = ada.page.getByRole('region', { name: 'Conversation' });
    expect(await conversation.getByText('Paid on Monday.').count()).toBe(1);
  });

  /** Opens a ticket for Ada, whose sends are delayed. */
  const openForAda = async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page, context, ...ada } = await app.agent({ name: 'Ada Able', delaysSends: true });
    await openTicket(page, ticket);
    return { ticket, page, context, ada };
  };
  const createBen = () =>
    createUser(app.services, {
      firm: app.firm,
      name: 'Ben Best',
      permissions: ['view_tickets', 'manage_tickets'],
    });
  const replyField = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
  const delayedIn = (page: Page) => page.getByRole('article', { name: 'Your reply, being sent' });

  test('asks before it delays the send of a reply that a colleague has overtaken', async () => {
    const { ticket, page, context } = await openForAda();
    await context.setOffline(true);
    await replyField(page).fill('It comes tomorrow.');
    await replyField(page).press('Control+Enter');
    await page.getByRole('article', { name: 'Your reply, not sent' }).waitFor();
    await app.call(await createBen(), 'tickets.reply', { ticket, body: 'Paid on Monday.' });
    await app.withoutWorker(async () => {
      await context.setOffline(false);
      const guard = page.getByRole('dialog', { name: 'Ben Best just replied' });
      await guard.getByText('Paid on Monday.').waitFor();
      expect(await delayedIn(page).count()).toBe(0);
      await guard.getByRole('button', { name: 'Send anyway' }).click();
      await delayedIn(page).getByText('It comes tomorrow.').waitFor();
      await endHold();
    });
    await expect.poll(() => bodiesOf(ticket)).toEqual(['Paid on Monday.', 'It comes tomorrow.']);
  });

  test('puts a delayed send back that a colleague has overtaken, with its files, and asks whether to send it', async () => {
    const { ticket, page } = await openForAda();
    const ben = await createBen();
    const pdf = {
      name: 'plan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
    };
    // Shown once it is uploaded.
    const file = page.getByRole('button', { name: 'Remove plan.pdf' });
    await app.withoutWorker(async () => {
      await page.getByLabel('Files to attach').setInputFiles(pdf);
      await file.waitFor();
      await replyField(page).fill('It comes tomorrow.');
      await replyField(page).press('Control+Enter');
      await delayedIn(page).getByText('It comes tomorrow.').waitFor();
      await file.waitFor({ state: 'detached' });
      await app.call(ben, 'tickets.reply', { ticket, body: 'Paid on Monday.' });
      await endHold();
    });
    const guard = page.getByRole('dialog', { name: 'Ben Best just replied' });
    await guard.getByText('Paid on Monday.').waitFor();
    await expectAccessible(page);
    await guard.getByRole('button', { name: 'Keep writing' }).click();
    expect(await delayedIn(page).count()).toBe(0);
    expect(await replyField(page).evaluate(fieldText)).toBe('It comes tomorrow.');
    await file.waitFor();
    expect(await bodiesOf(ticket)).toEqual(['Paid on Monday.']);
    await app.withoutWorker(async () => {
      await replyField(page).press('Control+Enter');
      await delayedIn(page).getByText('plan.pdf').waitFor();
      await endHold();
    });
    await expect.poll(() => bodiesOf(ticket)).toEqual(['Paid on Monday.', 'It comes tomorrow.']);
  });

  test('keeps a delayed send as a draft that was overtaken while the console was closed', async () => {
    const { ticket, page, context, ada } = await openForAda();
    await app.withoutWorker(async () => {
      await replyField(page).fill('It comes tomorrow.');
      await replyField(page).press('Control+Enter');
      await delayedIn(page).waitFor();
      await page.close();
      await app.call(await createBen(), 'tickets.addNote', { ticket, body: 'Do not pay.' });
      await endHold();
    });
    const { rows } = await app.services.pool.query('select number from tickets where id = $1', [ticket]);
    const titles = async () =>
      (
        await app.services.pool.query<{ title: string }>(
          'select title from notifications where user_id = $1',
          [ada.id],
        )
      ).rows.map(({ title }) => title);
    await expect.poll(titles).toContain(`Your reply on ticket #${rows[0].number} was not sent`);
    expect(await bodiesOf(ticket)).toEqual(['Do not pay.']);
    const reopened = await context.newPage();
    await openTicket(reopened, ticket);
    // The dialog with the new message can already be above the text box, which is then hidden from screen readers.
    const draft = reopened.getByRole('textbox', { name: /^Reply to/, includeHidden: true });
    await expect.poll(() => draft.evaluate(fieldText)).toBe('It comes tomorrow.');
    await delayedIn(reopened).waitFor({ state: 'detached' });
  });

  test('offers no undo of a change that another tab sent and the service rejected', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [{ page, context }, ben] = agents as [Agent, Agent];
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    const other = await context.newPage();
    await openTicket(other, ticket);
    const held = await holdNext(other, 'tickets.setStatus');
    await page.route(/trpc\/tickets\.setStatus/, (route) => route.abort());
    await page.bringToFront();
    await page.keyboard.press('e');
    // It stays as long as the pointer is on it.
    await undo.hover();
    await held.asked;
    await app.call(ben, 'tickets.setStatus', { ticket, status: 'closed' });
    held.release();
    await undo.waitFor({ state: 'detached' });
    expect(await statusOf(ticket)).toBe('closed');
  });

  test('keeps a status that a colleague has set since a change, and says so', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [{ page }, ben] = agents as [Agent, Agent];
    await page.keyboard.press('e');
    await expect.poll(() => statusOf(ticket)).toBe('resolved');
    await app.call(ben, 'tickets.undoEnd', { ticket, status: 'awaiting_admin' });
    await app.call(ben, 'tickets.setStatus', { ticket, status: 'closed' });
    await page.keyboard.press('z');
    await page.getByText('Couldn’t undo the change').waitFor();
    await page.getByText(/^The status has been changed since, and stays\./).waitFor();
    expect(await statusOf(ticket)).toBe('closed');
  });

  test('keeps an event whose deletion is undone, by the key or by the button', async () => {
    const agent = await app.agent();
    const { page } = agent;
    const calendar_id = await createCalendar(app.services, { firm: app.firm, owner: agent });
    await createEvents(app.services, [
      { calendar_id, title: 'Review', starts_at: '2026-11-23T10:00:00Z', ends_at: '2026-11-23T11:00:00Z' },
    ]);
    await page.goto('/calendar?view=day&day=2026-11-23');
    const event = page.getByRole('button', { name: /^Review/ });
    const remove = async () => {
      await event.click();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click();
      await event.waitFor({ state: 'detached' });
    };
    await remove();
    const undo = page.getByRole('button', { name: 'Undo', exact: true });
    await page.keyboard.press('z');
    await event.waitFor();
    // The toast of what was undone fades out.
    await undo.waitFor({ state: 'detached' });
    await remove();
    await undo.click();
    await event.waitFor();
    await undo.waitFor({ state: 'detached' });
    await remove();
    const count = async () =>
      (await app.services.pool.query('select from events where calendar_id = $1', [calendar_id])).rowCount;
    expect(await count()).toBe(1);
    // The toast stays while the pointer is on it, also longer than the deletion waits.
    await undo.hover();
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
    await undo.click();
    await page.getByText('Too late to undo: “Review” deleted', { exact: true }).first().waitFor();
    expect(await event.count()).toBe(0);
  });
});
