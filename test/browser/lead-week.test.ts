import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { rebuildReports, receiveTraderMessage, type Services, withTransaction } from '@firmdesk/domain';
import { createTeam } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runSending } from '../../packages/domain/src/mail/sending/testing.ts';
import { askSatisfaction } from '../../packages/domain/src/satisfaction/ask-satisfaction.ts';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { selectValue } from './select-value.ts';

/** Keeps the text of mails instead of sending them. */
function keepMail(services: Services): string[] {
  const texts: string[] = [];
  services.mail = {
    domains: ['desk.example'],
    server: {
      async send({ raw }) {
        texts.push(raw.toString('utf8').replace(/=\r\n/g, '').replaceAll('=3D', '='));
        return { state: 'sent', detail: '250 Ok' };
      },
      async check() {},
      async close() {},
    },
  };
  return texts;
}

/** A receiver of webhooks: it is down until `isUp`. */
async function openReceiver() {
  const received: string[] = [];
  const state = { isUp: false };
  const server = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    request.resume();
    response.writeHead(state.isUp ? 204 : 503).end(state.isUp ? undefined : 'In maintenance');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, received, state, close: () => server.close() };
}

describeInBrowser('a lead’s week', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('sets up assignment, rules, satisfaction and webhooks, and shows what they did in tickets, deliveries and reports', {
    timeout: 300_000,
  }, async () => {
    const { services, firm } = app;
    const mails = keepMail(services);
    const receiver = await openReceiver();
    services.webhooks.allowsLoopback = true;
    const lead = await app.agent({
      name: 'Lena Lead',
      colorScheme: 'dark',
      viewport: { width: 1440, height: 900 },
    });
    const ben = await app.agent({ name: 'Ben Best', viewport: { width: 390, height: 844 } });
    const gone = await app.agent({ name: 'Gina Gone', isSignedOut: true });
    await createTeam(services, { firm, name: 'Payments', members: [lead, ben] });
    const [first, second, third] = await Promise.all(
      ['First', 'Second', 'Third'].map((subject) =>
        app.ticket({ subject, aiEnabled: false, messages: [{ body: 'Hello' }] }),
      ),
    );
    const asksRefund = (ticket: string) =>
      withTransaction(services, (ctx) =>
        receiveTraderMessage(ctx, {
          workspace: firm.slug,
          ticket,
          from: app.trader.email,
          body: 'I want a refund.',
          via_email: false,
        }),
      );
    const { page } = lead;
    const property = (name: string) => page.getByRole('button', { name: `Assignee: ${name}` });

    // Assignment: in turn, at most one ticket for Ben, and the lead is away.
    await page.goto('/settings/assignment');
    await selectValue(page.getByLabel('Assign tickets of Payments'), 'In turn (round robin)');
    await page.getByLabel('Limit of Ben Best').fill('1');
    await page.getByLabel('Limit of Ben Best').press('Enter');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Account of Lena Lead' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Away' }).click();
    await page.getByText('1 of 2 available').waitFor();

    // Rules: tried on the last tickets before they are saved.
    await page.goto('/settings/rules');
    await page.getByText('No rules yet').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Refunds');
    await selectValue(dialog.getByLabel('When'), 'A ticket has waited');
    await dialog.getByLabel('Minutes').fill('90');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('leaves those alone whose time is over already').waitFor();
    await expectAccessible(page);
    await selectValue(dialog.getByLabel('When'), 'The trader writes again');
    await dialog.getByLabel('Text has one of').fill('refund, chargeback');
    await selectValue(dialog.getByLabel('Action 1', { exact: true }), 'Move to the team');
    await dialog.getByRole('button', { name: 'Dry run' }).click();
    await dialog.getByText('The conditions hold for 0 of the last 3 tickets').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page
      .getByText('The trader writes again · Text has “refund” or “chargeback” → Move to Payments')
      .waitFor();
    await expectAccessible(page);
    await app.call(lead, 'tickets.rules.create', {
      name: 'To Gina',
      trigger: { on: 'trader_wrote' },
      conditions: { filter: { priority: 'urgent' } },
      actions: [{ set: 'assignee', assignee: gone.id }],
    });

    // Satisfaction: asked by mail.
    await page.goto('/settings/mail');
    await selectValue(page.getByLabel('Mail', { exact: true }), 'Question after a resolution (en, built-in)');
    const asks = page.getByRole('switch', { name: 'Ask traders how satisfied they were' });
    await asks.click();
    await expect.poll(() => asks.getAttribute('aria-checked')).toBe('true');

    // Webhooks: an endpoint whose receiver is down.
    await page.goto('/settings/webhooks');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await dialog.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await dialog.getByRole('checkbox', { name: 'Ticket resolved' }).check();
    await expectAccessibleInBothThemes(page, 'new-endpoint-1440', '[role=dialog]');
    await dialog.getByRole('button', { name: 'Add' }).click();
    const secret = page.getByRole('dialog', { name: 'Copy the secret now' });
    await secret.getByText(/^whsec_/).waitFor();
    await secret.getByRole('button', { name: 'Done' }).click();

    // A rule moves the first ticket, and Ben gets it. For the second he has no room.
    await asksRefund(first!);
    await page.goto(`/tickets/${first}`);
    await page.getByText('The rule “Refunds” moved this to the team Payments').waitFor();
    await page.getByText('Automatic assignment (in turn) assigned this to Ben Best').waitFor();
    await asksRefund(second!);
    await page.goto(`/tickets/${second}`);
    await page.getByText('The rule “Refunds” moved this to the team Payments').waitFor();
    // The choice of a person wins over the assignment, which has room again later.
    await property('Unassigned').click();
    await page.getByRole('menuitemcheckbox', { name: 'Lena Lead (me)' }).click();
    await property('Lena Lead').waitFor();

    // Ben answers from a macro and resolves, so the third ticket is for him. A rule that fails then switches itself off.
    const macro = await app.call(ben, 'macros.create', {
      name: 'Refund sent',
      texts: [{ language: 'en', text: 'It is on its way.' }],
    });
    await app.call(ben, 'tickets.reply', { ticket: first, body: 'It is on its way.', macros: [macro.id] });
    await app.call(ben, 'tickets.setStatus', { ticket: first, status: 'resolved' });
    await services.pool.query('update memberships set active = false where user_id = $1', [gone.id]);
    await app.call(lead, 'tickets.setPriority', { ticket: third, priority: 'urgent' });
    await asksRefund(third!);
    await page.goto(`/tickets/${third}`);
    await page.getByText('Automatic assignment (in turn) assigned this to Ben Best').waitFor();
    await page.goto(`/tickets/${second}`);
    await property('Lena Lead').waitFor();
    await page.goto('/settings/rules');
    await page.getByText(/^Switched itself off: /).waitFor();
    await page.goto('/notifications');
    await page.getByText('“To Gina”').first().waitFor();

    // The trader is asked, and rates the ticket once.
    await services.pool.query(
      `update tickets set closed_at = closed_at - interval '40 minutes' where workspace_id = $1 and id = $2`,
      [firm.id, first],
    );
    await askSatisfaction(services);
    const links = () => mails.flatMap((text) => /href="[^"]*(\/rate\/[^"]+)"/.exec(text)?.[1] ?? []);
    // The gateway may be forwarding the job.
    await expect
      .poll(async () => {
        await runSending(services);
        return links().length;
      })
      .toBe(1);
    await page.goto(app.url + links()[0]!.replaceAll('&amp;', '&'));
    await page.getByRole('radio', { name: /^4/ }).check();
    await page.getByRole('textbox').fill('Fast enough.');
    await page.getByRole('button').click();
    await page.getByRole('radio').first().waitFor({ state: 'detached' });
    await page.goto(`/tickets/${first}`);
    const rating = page.getByRole('region', { name: 'Satisfaction' });
    await rating.getByText('Satisfaction: 4 of 5').waitFor();
    await rating.getByText('Fast enough.').waitFor();

    // The delivery is found by its ticket, and sent again once the receiver is up.
    await page.goto('/settings/webhooks');
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill(first!.slice(-12));
    const delivery = (state: string) =>
      page.getByRole('button', { name: new RegExp(`${state}.*Ticket resolved`) });
    const shows = (state: string) =>
      expect
        .poll(
          async () => {
            await page.getByRole('button', { name: 'Refresh' }).click();
            return delivery(state).count();
          },
          { timeout: 30_000 },
        )
        .toBe(1);
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await shows('Waiting');
    await delivery('Waiting').press('Enter');
    await dialog.getByText('In maintenance').first().waitFor();
    await page.getByRole('region', { name: 'Body' }).getByText('"resolved"').waitFor();
    await expectAccessibleInBothThemes(page, 'delivery-1440', '[role=dialog]');
    receiver.state.isUp = true;
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The event is sent again').waitFor();
    await page.keyboard.press('Escape');
    await shows('Delivered');
    expect(new Set(receiver.received).size).toBe(1);
    await expectAccessibleInBothThemes(page, 'webhooks-1440');
    const choose = async (name: string) => {
      await page.getByRole('button', { name: `Actions of ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rotate the secret…');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await secret.getByRole('button', { name: 'Done' }).click();
    await choose('Switch off');
    await page.getByText('Off', { exact: true }).waitFor();
    await choose('Delete…');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No endpoints yet').waitFor();
    receiver.close();

    // The reports compare the week, and each figure opens its tickets.
    await rebuildReports(services, {});
    await page.goto('/reports');
    const figure = (label: string) => page.locator('dl > div', { hasText: label });
    await figure('Satisfaction').getByText('4.0 of 5').waitFor();
    await figure('Created').getByText('0 before, none before').waitFor();
    await expectAccessibleInBothThemes(page, 'reports-of-a-week');
    const rows = page.getByRole('listbox', { name: 'Tickets' }).getByRole('option');
    const opens = async (figureLink: ReturnType<typeof figure>, chip: RegExp, subjects: string[]) => {
      await figureLink.click();
      await page.getByRole('list', { name: 'Filters' }).getByText(chip).waitFor();
      await expect.poll(() => rows.count()).toBe(subjects.length);
      for (const subject of subjects) await rows.filter({ hasText: subject }).waitFor();
      await page.goBack();
    };
    const inTable = (title: string, row: string) =>
      page.getByRole('region', { name: title }).getByRole('row', { name: row }).getByRole('link').first();
    await opens(figure('Satisfaction').getByRole('link', { name: '4.0 of 5' }), /^Rated /, ['First']);
    await opens(figure('Created').getByRole('link', { name: '3' }), /^Created /, [
      'First',
      'Second',
      'Third',
    ]);
    await opens(inTable('Macros', 'Refund sent'), /^Macro is Refund sent$/, ['First']);
    await opens(inTable('Agents', 'Ben Best'), /^Replied by is Ben Best$/, ['First']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^report-.*\.csv$/);
    const csv = await readFile(await file.path(), 'utf8');
    expect(csv).toMatch(/^macro,Refund sent,uses,1,0\r?$/m);
    expect(csv).toMatch(/^agent,Ben Best,scores_4,1,\r?$/m);

    // A colleague's window follows a change of the rules and of the availability.
    await page.goto('/settings/rules');
    await ben.page.goto('/settings/rules');
    const refunds = (window: typeof page, name: 'On' | 'Off') =>
      window.getByRole('listitem').filter({ hasText: 'Refunds' }).getByRole('switch', { name });
    await refunds(ben.page, 'On').click();
    await refunds(ben.page, 'Off').waitFor();
    await expectAccessible(ben.page);
    await refunds(page, 'Off').waitFor();
    await page.goto('/settings/assignment');
    await page.getByText('1 of 2 available').waitFor();
    await ben.page.goto('/settings/assignment');
    await ben.page.getByRole('switch', { name: 'Lena Lead is available' }).click();
    await page.getByText('2 of 2 available').waitFor();
  });
});
