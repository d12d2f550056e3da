import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { createTeam } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('rules and assignment', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('a lead sets both up, and a ticket is moved by a rule and assigned to who is available', async () => {
    const lead = await app.agent({ name: 'Lena Lead', colorScheme: 'dark' });
    const ben = await app.agent({ name: 'Ben Best', viewport: { width: 390, height: 844 } });
    await createTeam(app.services, { firm: app.firm, name: 'Payments', members: [lead, ben] });
    const ticket = await app.ticket({
      status: 'awaiting_admin',
      aiEnabled: false,
      messages: [{ body: 'Hello' }],
    });
    const { page } = lead;

    await page.goto('/settings/assignment');
    await selectValue(page.getByLabel('Assign tickets of Payments'), 'In turn (round robin)');
    await page.getByLabel('Limit of Ben Best').fill('5');
    await page.getByLabel('Limit of Ben Best').press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Account of Lena Lead' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Away' }).click();
    await page.getByText('1 of 2 available').waitFor();

    await page.goto('/settings/rules');
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refunds');
    await selectValue(dialog.getByLabel('When'), 'A ticket has waited');
    await dialog.getByLabel('Minutes').fill('90');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('leaves those alone whose time is over already').waitFor();
    await dialog.getByText(/ – runs /).waitFor();
    await expectAccessible(page);
    await selectValue(dialog.getByLabel('When'), 'The trader writes again');
    await dialog.getByLabel('Text has one of').fill('refund, chargeback');
    await selectValue(dialog.getByLabel('Action 1', { exact: true }), 'Move to the team');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('The conditions hold for 0 of the last 1 tickets').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByText('The trader writes again · Text has “refund” or “chargeback” → Move to Payments')
      .waitFor();
    await expectAccessible(page);

    const { rows } = await app.services.pool.query<{ email: string }>(
      `select u.email from tickets t join users u on u.id = t.trader_id where t.workspace_id = $1 and t.id = $2`,
      [app.firm.id, ticket],
    );
    await withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        ticket,
        from: rows[0]!.email,
        body: 'I want a refund.',
        via_email: false,
      }),
    );
    await page.goto(`/tickets/${ticket}`);
    await page.getByText('The rule “Refunds” moved this to the team Payments').waitFor();
    await page.getByText('Automatic assignment (in turn) assigned this to Ben Best').waitFor();

    await page.goto('/settings/rules');
    await ben.page.goto('/settings/rules');
    await ben.page.getByRole('switch', { name: 'On' }).click();
    await ben.page.getByRole('switch', { name: 'Off' }).waitFor();
    await expectAccessible(ben.page);
    // The colleague's window follows.
    await page.getByRole('switch', { name: 'Off' }).waitFor();
    await page.goto('/settings/assignment');
    await page.getByText('1 of 2 available').waitFor();
    await ben.page.goto('/settings/assignment');
    await ben.page.getByRole('switch', { name: 'Lena Lead is available' }).click();
    await page.getByText('2 of 2 available').waitFor();
    const { rows: rules } = await app.services.pool.query(
      'select name, is_on from ticket_rules where workspace_id = $1',
      [app.firm.id],
    );
    expect(rules).toEqual([{ name: 'Refunds', is_on: false }]);
  });
});
