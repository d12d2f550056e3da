import { createMailbox, createMailMessage, createToken } from '@firmdesk/domain/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';

describeInBrowser('what the platform says about a trader', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('is beside the conversation with the trader’s mail, and changes when the platform says something else', async () => {
    const agent = await app.agent();
    const { page } = agent;
    const { text: token } = await createToken(app.services, {
      user: agent,
      workspace: app.firm.slug,
      scopes: ['platform:write'],
    });
    const set = async (over: object) => {
      const answer = await fetch(`${app.url}/trpc/traders.setProfile`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify({ json: { trader: app.trader.id, ...over } }),
      });
      expect(answer.status).toBe(200);
    };
    const fields = [
      { label: 'Number', value: '/number' },
      { label: 'Balance', value: '/balance', format: 'money', currency: '/currency' },
      { label: 'Funded', value: '/funded', format: 'flag' },
    ];
    await set({
      country: 'DE',
      language: 'pt-BR',
      timezone: 'Asia/Tokyo',
      verification: 'pending',
      data: {
        accounts: [
          { number: 'N-1', balance: '10250.50', currency: 'EUR', funded: true },
          { number: 'N-2', balance: 0, currency: 'USD', funded: false },
        ],
        admin: 'https://back.example/traders/7',
      },
      layout: [
        { title: 'Accounts', list: '/accounts', fields },
        { title: 'Elsewhere', fields: [{ label: 'Back office', value: '/admin', format: 'link' }] },
      ],
    });
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { id } = await createMailMessage(app.services, { mailbox });
    await app.services.pool.query(
      'update mail_messages set from_email = $3 where workspace_id = $1 and id = $2',
      [app.firm.id, id, app.trader.email],
    );
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    await openTicket(page, ticket);
    const details = page.getByRole('complementary', { name: 'Trader and details' });
    const trader = details.getByRole('region', { name: 'Trader' });
    await trader.getByText('Verification pending').waitFor();
    for (const text of ['Germany', 'Brazilian Portuguese', '€10,250.50', 'US$0.00', 'Yes', 'No'])
      await trader.getByText(text, { exact: true }).waitFor();
    // The clock ticks every half minute.
    const [at, shown] = await trader
      .locator('dd time')
      .first()
      .evaluate((time) => [time.getAttribute('datetime')!, time.textContent]);
    const format = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const;
    expect(shown).toBe(new Intl.DateTimeFormat('en-GB', format).format(new Date(at!)));
    expect(await trader.getByRole('link', { name: 'back.example/traders/7' }).getAttribute('rel')).toContain(
      'noopener',
    );
    await details
      .getByRole('region', { name: 'Mail' })
      .getByRole('link', { name: /Quarterly numbers/ })
      .waitFor();
    await expectAccessible(page);

    await set({ verification: 'verified' });
    await trader.getByText('Verified', { exact: true }).waitFor();
    await trader.getByText('€10,250.50').waitFor({ state: 'detached' });
    await details.getByRole('link', { name: /Quarterly numbers/ }).click();
    await page.getByRole('heading', { name: 'Quarterly numbers' }).first().waitFor();
  });
});
