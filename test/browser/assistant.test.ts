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
  let desk: ConsoleUnderTest;
  beforeAll(async () => {
    desk = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => desk?.[Symbol.asyncDispose]());

  async function setAssistant(agent: Agent, settings: object): Promise<void> {
    const answer = await agent.context.request.post(`${desk.url}/trpc/tickets.updateAssistantSettings`, {
      headers: {
        origin: desk.url,
        'idempotency-key': crypto.randomUUID(),
        'service-workspace': desk.firm.slug,
      },
      data: { json: settings },
    });
    expect(answer.status()).toBe(200);
  }

  test('a reply is shown to everybody as it is written, goes on after a reload, and stands once', async () => {
    const { ticket, agents } = await desk.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    const words = SENTENCES.join('').split(/(?<= )/);
    desk.model.behave({ kind: 'reply', words, pauseMs: 400 });
    await ask(ada, 'say when it was sent');
    for (const page of [ada, ben]) await streamingReply(page).getByText('Dear Tess.').waitFor();
    await expectAccessible(ben);
    await ben.reload();
    await streamingReply(ben).getByText('Dear Tess.').waitFor();
    for (const page of [ada, ben]) {
      const reply = page.getByRole('article', { name: 'Assistant', exact: true });
      await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false');
      expect(await reply.getByText(SENTENCES.join('').trim()).count()).toBe(1);
      expect(await reply.count()).toBe(1);
    }
    const { rows } = await desk.services.pool.query(
      `select body from ticket_messages where ticket_id = $1 and from_kind = 'ai'`,
      [ticket],
    );
    expect(rows).toEqual([{ body: SENTENCES.join('') }]);
  });

  test('a screen reader hears a reply by its sentences', async () => {
    const { agents } = await desk.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, { heard });
      const region = [...document.querySelectorAll('[aria-live=polite]')].find((each) =>
        each.matches('.sr-only'),
      )!;
      new MutationObserver(() => heard.push(region.textContent!.trim())).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
    desk.model.behave({ kind: 'reply', words: SENTENCES, pauseMs: 500 });
    await ask(page, 'say when it was sent');
    const heard = () => page.evaluate(() => (window as unknown as { heard: string[] }).heard.join('\n'));
    await expect.poll(heard).toContain('End of the reply.');
    const all = await heard();
    for (const sentence of SENTENCES) expect(all.split(sentence.trim())).toHaveLength(2);
  });

  test('whoever looks can stop it: nothing reaches the trader, and a note says who did', async () => {
    const { agents } = await desk.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    desk.model.behave({ kind: 'stall', words: ['Dear Tess. ', 'Your pay'] });
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

  test('a model that fails is told of plainly, on the ticket', async () => {
    const { agents } = await desk.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    desk.model.behave({ kind: 'error', status: 400 });
    await ask(page, 'say when it was sent');
    const note = page.getByRole('article', { name: 'No reply was sent, System' });
    await note.getByText('The assistant did not answer:').waitFor();
  });

  test('a used-up allowance is inConversation before one asks', async () => {
    const { agents } = await desk.openTicketFor('Ada Able');
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

  test('where the firm has switched it off, it is not offered, and why is inConversation', async () => {
    const agent = await desk.agent();
    await setAssistant(agent, { enabled_for_team: false });
    const ticket = await desk.ticket({ messages: [{ body: 'Where is my payout?' }] });
    await openTicket(agent.page, ticket);
    await agent.page.getByText('The firm has switched the assistant off for its team.').waitFor();
    expect(await agent.page.getByRole('button', { name: 'Ask the assistant' }).count()).toBe(0);
    await agent.page.keyboard.press('r');
    await agent.page.keyboard.type('/ai say when it was sent');
    expect(await agent.page.getByRole('button', { name: 'Ask the assistant' }).isDisabled()).toBe(true);
    await setAssistant(agent, { enabled_for_team: true });
  });

  test('who wants no moving text gets replies when they are finished', async () => {
    const { agents } = await desk.openTicketFor('Ada Able');
    const { page } = agents[0]!;
    await page.getByRole('switch', { name: 'Show replies as written' }).click();
    desk.model.behave({ kind: 'stall', words: ['Dear Tess. ', 'Your pay'] });
    await ask(page, 'say when it was sent');
    await page.getByText('Writing a reply; it is shown once it is finished.').waitFor();
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
  return page.getByRole('article', { name: 'Assistant', exact: true }).and(page.locator('[aria-busy=true]'));
}
