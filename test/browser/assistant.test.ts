import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole, openTicket } from './browser.ts';

const SENTENCES = [
  'Dear Tess. ',
  'Your payout was sent on Monday. ',
  'A bank takes three days. ',
  'Kind regards.',
];

describeInBrowser('the assistant', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  async function setAssistant(agent: Agent, settings: object): Promise<void> {
    const answer = await agent.context.request.post(`${app.url}/trpc/tickets.updateAssistantSettings`, {
      headers: {
        origin: app.url,
        'idempotency-key': crypto.randomUUID(),
        'service-workspace': app.firm.slug,
      },
      data: { json: settings },
    });
    expect(answer.status()).toBe(200);
  }

  test('streams a reply to every viewer, resumes after a reload and shows it once', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    const { promise: until, resolve: end } = Promise.withResolvers<void>();
    app.model.behave({ kind: 'hold', words: SENTENCES.join('').split(/(?<= )/), until });
    await ask(ada, 'say when it was sent');
    for (const page of [ada, ben]) await streamingReply(page).getByText('Dear Tess.').waitFor();
    await expectAccessible(ben);
    await ben.reload();
    await streamingReply(ben).getByText('Dear Tess.').waitFor();
    end();
    for (const page of [ada, ben]) {
      const reply = page.getByRole('article', { name: /^Assistant,/ });
      await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false');
      expect(await reply.getByText(SENTENCES.join('').trim()).count()).toBe(1);
      expect(await reply.count()).toBe(1);
    }
    const { rows } = await app.services.pool.query(
      `select body from ticket_messages where ticket_id = $1 and from_kind = 'ai'`,
      [ticket],
    );
    expect(rows).toEqual([{ body: SENTENCES.join('') }]);
  });

  test('resumes a streamed reply after a gateway restart without losing text', async () => {
    const { page } = await app.agent();
    const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
    const words = Array.from({ length: 60 }, (_, n) => `word${n} `);
    app.model.behave({ kind: 'reply', words, pauseMs: 250 });
    await page.goto(`/tickets/${ticket}`);
    await page.getByRole('article').first().waitFor();
    await page.keyboard.press('Control+j');
    await page.keyboard.type('count');
    await page.keyboard.press('Control+Enter');
    const reply = page.getByRole('article', { name: /^Assistant,/ });
    const underWay = page.getByText(/word5 /);
    await underWay.first().waitFor();
    // The text so far stays on the page during the restart.
    await app.restart(async () => expect(await page.getByText(/word5 /).count()).toBeGreaterThan(0));
    await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false');
    await reply.getByText(words.join('').trim()).waitFor();
    expect(await reply.count()).toBe(1);
    await expect.poll(() => page.locator('[data-connection]').getAttribute('data-connection')).toBe('open');
  });

  test('announces a reply to screen readers sentence by sentence', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await page.evaluate(() => {
      const announcements: string[] = [];
      Object.assign(window, { announcements });
      const region = [...document.querySelectorAll('[aria-live=polite]')].find((each) =>
        each.matches('.sr-only'),
      )!;
      new MutationObserver(() => announcements.push(region.textContent!.trim())).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    app.model.behave({ kind: 'reply', words: SENTENCES, pauseMs: 500 });
    await ask(page, 'say when it was sent');
    const announcements = () =>
      page.evaluate(() => (window as unknown as { announcements: string[] }).announcements.join('\n'));
    await expect.poll(announcements).toContain('End of the reply.');
    const all = await announcements();
    for (const sentence of SENTENCES) expect(all.split(sentence.trim())).toHaveLength(2);
  });

  test('lets any viewer stop the assistant: the trader gets nothing, and a note names the agent', async () => {
    const { agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    app.model.behave({ kind: 'stall', words: ['Dear Tess. ', 'Your pay'] });
    await ask(ada, 'say when it was sent');
    await streamingReply(ben).getByText('Your pay').waitFor();
    await ben.getByRole('button', { name: 'Stop the assistant' }).click();
    for (const page of [ada, ben]) {
      await inConversation(page, 'The assistant did not answer: Ben Best stopped it.').waitFor();
      expect(await inConversation(page, 'Your pay').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Stop the assistant' }).count()).toBe(0);
    }
    await expectAccessible(ada);
  });

  test('shows a note on the ticket when the model fails', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    app.model.behave({ kind: 'error', status: 400 });
    await ask(page, 'say when it was sent');
    const note = page.getByRole('article', { name: 'No reply was sent, System' });
    await note.getByText('The assistant did not answer:').waitFor();
  });

  test('shows that the allowance is used up before the assistant is asked', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const [agent] = agents as [Agent];
    await setAssistant(agent, { monthly_allowance: 0 });
    await agent.page.keyboard.press('Control+j');
    await agent.page.keyboard.type('say when it was sent');
    await agent.page.getByText('allowance of 0 replies for this month is used up').waitFor();
    await expectAccessible(agent.page);
    await agent.page.keyboard.press('Control+Enter');
    await inConversation(agent.page, 'The assistant did not answer: the firm’s allowance').waitFor();
    await setAssistant(agent, { monthly_allowance: 1_000 });
  });

  test('does not offer an assistant that is turned off for the team, and says why', async () => {
    const agent = await app.agent();
    await setAssistant(agent, { enabled_for_team: false });
    const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
    await openTicket(agent.page, ticket);
    await agent.page.getByText('The assistant is turned off for your firm’s team.').waitFor();
    expect(await agent.page.getByRole('button', { name: 'Ask the assistant' }).count()).toBe(0);
    await agent.page.keyboard.press('r');
    await agent.page.keyboard.type('/ai say when it was sent');
    expect(await agent.page.getByRole('button', { name: 'Ask the assistant' }).isDisabled()).toBe(true);
    await setAssistant(agent, { enabled_for_team: true });
  });

  test('shows replies once finished if streaming is off', async () => {
    const { agents } = await app.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    const ticketUrl = page.url();
    await page.goto('/account/sessions');
    await page.getByRole('switch', { name: 'Stream replies' }).click();
    await page.goto(ticketUrl);
    app.model.behave({ kind: 'stall', words: ['Dear Tess. ', 'Your pay'] });
    await ask(page, 'say when it was sent');
    await page.getByText('Writing a reply. It appears once finished.').waitFor();
    expect(await inConversation(page, 'Dear Tess.').count()).toBe(0);
  });
});

function inConversation(page: Page, text: string) {
  return page.getByRole('region', { name: 'Conversation' }).getByText(text);
}

async function ask(page: Page, instruction: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Reply to/ }).fill(`/ai ${instruction}`);
  await page.keyboard.press('Control+Enter');
}

function streamingReply(page: Page) {
  return page.getByRole('article', { name: /^Assistant,/ }).and(page.locator('[aria-busy=true]'));
}
