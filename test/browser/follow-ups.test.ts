import { receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { createTag, createTeam, createUser } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

describeInBrowser('a follow-up of a resolved ticket', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const endedTicket = async () => {
    const trader = await createUser(app.services, { firm: app.firm, role: 'trader', name: 'Casey Trader' });
    const tags = [await createTag(app.services, { firm: app.firm })];
    const team = await createTeam(app.services, { firm: app.firm });
    const messages = [{ body: 'My payout is late.' }, { body: 'It was sent today.', from: 'admin' as const }];
    const id = await app.ticket({ trader, subject: 'Late payout', status: 'resolved', tags, team, messages });
    return { id, trader };
  };

  test('is opened with one key, and both show each other as one story', async () => {
    const { id } = await endedTicket();
    const { page } = await app.agent();
    await page.goto(`/tickets/${id}`);
    await page.getByRole('button', { name: /^Open a follow-up/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('o');
    const dialog = page.getByRole('dialog', { name: /^Follow-up of #/ });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Subject').inputValue()).toBe('Late payout');
    // The message has the focus.
    await page.keyboard.type('One more thing.');
    await expectAccessible(page);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL((url) => /tkt_/.test(url.pathname) && !url.pathname.endsWith(id));
    const conversation = page.getByRole('region', { name: 'Conversation' });
    await conversation.getByText('One more thing.').waitFor();
    const earlier = conversation.getByRole('region', { name: /^Earlier ticket #/ });
    await earlier.getByRole('button', { name: 'Show its messages' }).click();
    await earlier.getByText('My payout is late.').waitFor();
    await earlier.getByText('It was sent today.').waitFor();
    await expectAccessible(page);
    await earlier.getByRole('link', { name: /Late payout$/ }).click();
    await page.waitForURL(`**/tickets/${id}*`);
    await conversation.getByRole('list', { name: 'Follow-ups' }).getByText('Waiting on trader').waitFor();
    await expectAccessible(page);
  });

  test('is opened when the trader writes, and the ended ticket that is shown says so', async () => {
    const { id, trader } = await endedTicket();
    const { page } = await app.agent();
    await page.goto(`/tickets/${id}`);
    await page.getByRole('button', { name: /^Open a follow-up/ }).waitFor();
    await page.locator('[data-connection=open]').waitFor();
    await withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        ticket: id,
        from: trader.email,
        body: 'Nothing has arrived.',
        via_email: true,
      }),
    );
    const later = page.getByRole('list', { name: 'Follow-ups' });
    await later.getByRole('link', { name: /Late payout$/ }).click();
    await page.getByText('Nothing has arrived.').waitFor();
    await page.getByRole('region', { name: /^Earlier ticket #/ }).waitFor();
  });
});
