import { changePermissions, dismissMember, withTransaction } from '@firmdesk/domain';
import { createUser } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes } from './accessibility.ts';
import {
  type ConsoleUnderTest,
  describeInBrowser,
  holdNext,
  openConsole,
  openTicket,
  QUESTION,
} from './browser.ts';
import { fieldText } from './case-list.ts';

/** Not the whole page: its toasts take the colours of another theme somewhat later. */
const SECTION = '[aria-label="Replies that were not sent"]';

describeInBrowser('replies that may no longer be sent', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Lets the worker run delayed sends once it runs again. */
  const sendNow = () =>
    app.services.pool.query(
      `update job_requests set run_at = now() where workspace_id = $1 and task = 'tickets.send_delayed'`,
      [app.firm.id],
    );

  /** Lets a colleague be dismissed while the service delays their sends, the first one with a file. */
  async function refuse(ticket: string, ...texts: [string, ...string[]]): Promise<void> {
    const robin = await createUser(app.services, {
      firm: app.firm,
      name: 'Robin Example',
      permissions: ['view_tickets', 'manage_tickets'],
    });
    const { pool } = app.services;
    await app.withoutWorker(async () => {
      const ids: string[] = [];
      for (const body of texts) ids.push((await app.call(robin, 'tickets.holdReply', { ticket, body })).id);
      const file = { id: `att_${ids[0]!.slice(5)}`, name: 'plan.pdf', type: 'application/pdf', size: 5 };
      await pool.query(
        `insert into attachments (workspace_id, id, ticket_id, uploader_id, part_of, name, type, size, created_at, uploaded_at)
         values ($1, $2, $3, $4, $5, 'plan.pdf', 'application/pdf', 5, now(), now())`,
        [app.firm.id, file.id, ticket, robin.id, ids[0]],
      );
      await pool.query('update delayed_sends set attachments = $1 where id = $2', [
        JSON.stringify([{ ...file, deleted: false }]),
        ids[0],
      ]);
      await withTransaction(app.services, (ctx) =>
        dismissMember(ctx, { email: robin.email, workspace: app.firm.slug }),
      );
      await sendNow();
    });
  }

  const unsent = (page: Page) => page.getByRole('article', { name: 'Not sent, Robin Example' });
  const field = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });

  test('appear at the open ticket; one colleague takes one over, and the other is told', async () => {
    const {
      ticket,
      agents: [ada, ben],
    } = await app.openTicketFor('Ada Able', 'Ben Best');
    await field(ada!.page).fill('Hello Tess,');
    await refuse(ticket, 'Paid on Monday.', 'Paid on Tuesday.');
    for (const { page } of [ada!, ben!]) {
      await unsent(page).getByText('Paid on Monday.').waitFor();
      await unsent(page).getByText('Paid on Tuesday.').waitFor();
    }
    await unsent(ada!.page)
      .first()
      .getByText('A reply by Robin Example was not sent: its author no longer belongs to the firm.')
      .waitFor();
    await expectAccessibleInBothThemes(ada!.page, 'unsent-replies', SECTION);

    const ofBen = await holdNext(ben!.page, 'tickets.takeOverReply');
    await unsent(ben!.page).first().getByRole('button', { name: 'Take over' }).click();
    await ofBen.asked;
    // What is typed while the service answers stays as well.
    const ofAda = await holdNext(ada!.page, 'tickets.takeOverReply');
    await unsent(ada!.page).first().getByRole('button', { name: 'Take over' }).click();
    await ofAda.asked;
    await field(ada!.page).fill('Hello Tess, sorry for the wait.');
    ofAda.release();
    const taken = 'Hello Tess, sorry for the wait.\n\nPaid on Monday.';
    await expect.poll(() => field(ada!.page).evaluate(fieldText)).toBe(taken);
    await ada!.page.getByRole('button', { name: 'Remove plan.pdf' }).waitFor();
    await expectAccessibleInBothThemes(ada!.page, 'unsent-reply-taken-over', SECTION);
    ofBen.release();
    await ben!.page.getByText('A colleague has already taken it over or discarded it.').waitFor();
    await expect.poll(() => field(ben!.page).evaluate(fieldText)).toBe('');
    for (const { page } of [ada!, ben!]) {
      await unsent(page).getByText('Paid on Monday.').waitFor({ state: 'hidden' });
      expect(await unsent(page).count()).toBe(1);
    }

    await ada!.page.keyboard.press('Control+Enter');
    const message = ben!.page.getByRole('article', { name: 'Message, Ada Able' });
    await message.getByText('Paid on Monday.').waitFor();
    await message.getByText('plan.pdf').waitFor();
  });

  test('are no longer shown as being sent to their author, who is told', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page, email } = await app.agent({ name: 'Robin Example', delaysSends: true });
    await openTicket(page, ticket);
    const held = page.getByRole('article', { name: 'Your reply, being sent' });
    await app.withoutWorker(async () => {
      await field(page).fill('Paid on Monday.');
      await field(page).press('Control+Enter');
      await held.waitFor();
      const change = { revoke: ['manage_tickets' as const] };
      await withTransaction(app.services, (ctx) =>
        changePermissions(ctx, { user: email, workspace: app.firm.slug }, change),
      );
      await sendNow();
    });
    await page.getByText('Your reply was not sent').waitFor();
    await held.waitFor({ state: 'hidden' });
  });

  test('can be read and discarded on an ended ticket', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    await refuse(ticket, 'Paid on Wednesday.');
    const { page, ...ada } = await app.agent({ name: 'Ada Able', viewport: { width: 390, height: 844 } });
    await page.goto(`/tickets/${ticket}`);
    await unsent(page).getByText('Paid on Wednesday.').waitFor();
    await expectAccessibleInBothThemes(page, 'unsent-reply-phone', SECTION);
    await app.call(ada, 'tickets.setStatus', { ticket, status: 'closed' });
    await page.getByText(/This ticket is closed/).waitFor();
    expect(await unsent(page).getByRole('button', { name: 'Take over' }).count()).toBe(0);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await unsent(page).waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByText(/This ticket is closed/).waitFor();
    expect(await unsent(page).count()).toBe(0);
  });
});
