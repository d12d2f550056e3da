import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const WORDS = 'Dear Tess. Your payout was sent on Monday. A bank takes three days. Kind regards.'.split(
  /(?<= )/,
);

describeInBrowser('a working day', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('lets an agent work a whole day by keyboard', async () => {
    const { page, email, password } = await app.agent({ name: 'Ada Able', isSignedOut: true });
    const { keyboard } = page;
    const first = await app.ticket({
      subject: 'Payout is late',
      priority: 'urgent',
      messages: [{ body: 'Where is it?' }],
    });
    await app.ticket({ subject: 'Wrong leverage', messages: [{ body: 'It says 1:30.' }] });
    app.model.behave({ kind: 'reply', words: WORDS });

    await page.goto('/');
    await page.getByLabel('Email').waitFor();
    await keyboard.type(email);
    await keyboard.press('Tab');
    await keyboard.type(password);
    await keyboard.press('Enter');

    await page.getByRole('option').first().waitFor();
    await keyboard.press('j');
    await page.getByRole('heading', { name: 'Payout is late' }).waitFor();
    await page.waitForURL(`**/tickets/${first}**`);
    await keyboard.press('i');
    await page.getByRole('button', { name: 'Assignee: Ada Able' }).waitFor();
    await keyboard.press('p');
    await keyboard.type('High');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Priority: High' }).waitFor();

    await keyboard.press('n');
    await keyboard.type('The bank says Thursday.');
    await keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Internal note, Ada Able' }).getByText('Thursday').waitFor();
    await keyboard.press('Escape');

    await keyboard.press('Control+j');
    await keyboard.type('say when it was sent');
    await keyboard.press('Control+Enter');
    const answer = page.getByRole('article', { name: 'Assistant', exact: true });
    await answer.getByText(WORDS.join('').trim()).waitFor();
    // A reply sent while the assistant still writes would ask for confirmation.
    await expect.poll(() => answer.getAttribute('aria-busy')).toBe('false');
    await keyboard.press('Escape');

    await keyboard.press('r');
    await keyboard.type('It will be with you on Thursday.');
    await keyboard.press('Control+Enter');
    await page.getByRole('article', { name: 'Message, Ada Able' }).getByText('on Thursday').waitFor();
    await keyboard.press('Escape');
    await keyboard.press('e');
    // The next ticket opens.
    await page.getByRole('heading', { name: 'Wrong leverage' }).waitFor();
    await keyboard.press('/');
    await keyboard.type('leverage');
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('leverage');
    await keyboard.press('Escape');

    await keyboard.press('Control+k');
    await keyboard.type('Calendar');
    await keyboard.press('Enter');
    await page.waitForURL('**/calendar**');
    await keyboard.press('g');
    await keyboard.press('n');
    await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor();

    const { rows } = await app.services.pool.query(
      'select status, priority, ai_enabled from tickets where id = $1',
      [first],
    );
    expect(rows).toEqual([{ status: 'resolved', priority: 'high', ai_enabled: false }]);
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
    const reply = page.getByRole('article', { name: 'Assistant', exact: true });
    const underWay = page.getByText(/word5 /);
    await underWay.first().waitFor();
    // The text so far stays on the page during the restart.
    await app.restart(async () => expect(await page.getByText(/word5 /).count()).toBeGreaterThan(0));
    await expect.poll(() => reply.getAttribute('aria-busy')).toBe('false');
    await reply.getByText(words.join('').trim()).waitFor();
    expect(await reply.count()).toBe(1);
    await expect.poll(() => page.locator('[data-connection]').getAttribute('data-connection')).toBe('open');
  });
});
