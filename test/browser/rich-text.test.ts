import { createMailbox } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, viewports } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket } from './browser.ts';
import { replyField } from './case-list.ts';
import { loadedEditor } from './editor-field.ts';

describeInBrowser('formatted texts', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Pastes into the focused field. */
  const paste = (page: Page, data: Record<string, string>) =>
    page.evaluate((types) => {
      const clipboardData = new DataTransfer();
      for (const [type, value] of Object.entries(types)) clipboardData.setData(type, value);
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement!.dispatchEvent(event);
    }, data);
  const stored = async (ticket: string) => {
    const { rows } = await app.services.pool.query(
      `select body, body_html from ticket_messages where ticket_id = $1 and from_kind = 'admin' order by created_at`,
      [ticket],
    );
    return rows;
  };
  const conversation = (page: Page) => page.getByRole('region', { name: 'Conversation' });
  const inConversation = (page: Page, text: string | RegExp) => conversation(page).getByText(text);
  const editor = (page: Page, field = replyField(page)) => loadedEditor(page, field);

  test.each(['a wide screen', 'a phone'] as const)(
    'are written by keys and buttons, pasted, kept, sent and shown on %s',
    async (screen) => {
      const ticket = await app.ticket({ messages: [{ body: 'Where is my payout?' }] });
      const { page } = await app.agent({ viewport: viewports[screen] });
      await openTicket(page, ticket);
      await replyField(page).click();
      const field = await editor(page);
      await page.keyboard.type('Sent ');
      await page.keyboard.press('Control+b');
      await page.keyboard.type('today');
      await page.keyboard.press('Control+b');
      await page.keyboard.press('Enter');
      await page.keyboard.type('- by wire');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Formatting' }).click();
      const bold = page.getByRole('button', { name: 'Bold' });
      await bold.click();
      expect(await bold.getAttribute('aria-pressed')).toBe('true');
      await page.keyboard.type('fast');
      await expectAccessibleInBothThemes(page, `rich-text-${screen.replaceAll(' ', '-')}`);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await paste(page, { 'text/plain': '> you asked\n\n[our terms](https://terms.example/a)' });
      await paste(page, {
        'text/html':
          '<p><b style="position:fixed">Bye</b><script>window.hacked = true</script><img src=x onerror="window.hacked = true"></p>',
        'text/plain': 'Bye',
      });
      const draft = () =>
        app.services.pool.query('select html from reply_drafts where ticket_id = $1', [ticket]);
      await expect.poll(async () => (await draft()).rows[0]?.html).toContain('Bye');
      // Everything is there again, also after the window was closed.
      await page.reload();
      await editor(page);
      await field.getByText('our terms').waitFor();
      await field.click();
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => stored(ticket)).toHaveLength(1);
      await expect.poll(async () => (await draft()).rows).toEqual([]);
      const [message] = await stored(ticket);
      expect(message.body).toContain('Sent today\n- by wire\n- fast\n');
      expect(message.body).toContain('> you asked');
      expect(message.body).toContain('our terms (https://terms.example/a)');
      expect(message.body_html).toContain('<p>Sent <strong>today</strong></p><ul><li>');
      expect(message.body_html).toContain('<a href="https://terms.example/a">our terms</a>');
      expect(message.body_html).not.toMatch(/style|script|img|onerror/);
      const shown = page.getByRole('article', { name: /^Message, / }).last();
      await shown.locator('strong', { hasText: 'today' }).waitFor();
      await shown.locator('li', { hasText: 'by wire' }).waitFor();
      await shown.getByRole('link', { name: 'our terms' }).waitFor();
      expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
      await expectAccessibleInBothThemes(page, `rich-text-message-${screen.replaceAll(' ', '-')}`);
    },
  );

  test('of a message shows nothing that a database or a proxy has added to it', async () => {
    const ticket = await app.ticket({ messages: [{ from: 'admin', body: 'Hello' }] });
    await app.services.pool.query('update ticket_messages set body_html = $2 where ticket_id = $1', [
      ticket,
      '<p>Hello <img src=x onerror="window.hacked = true"><a href="javascript:window.hacked = true">you</a></p><iframe srcdoc="<script>parent.hacked = true</script>"></iframe>',
    ]);
    const { page } = await app.agent();
    await page.goto(`/tickets/${ticket}`);
    const shown = page.getByRole('article').first();
    await shown.getByText('Hello you').waitFor();
    expect(await shown.locator('img, iframe, a').count()).toBe(0);
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  });

  test('a command to the assistant is undone while its reply is written, for every viewer', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    app.model.behave({ kind: 'stall', words: ['<think>a</think>Dear Tess.', ' Your'] });
    await replyField(ada).click();
    await editor(ada);
    await ada.keyboard.type('/ai say when it was sent');
    await ada.keyboard.press('Control+Enter');
    for (const page of [ada, ben])
      await page
        .getByText(/^Dear Tess\./)
        .first()
        .waitFor();
    expect(await ben.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
    await conversation(ada).getByRole('button', { name: 'Undo', exact: true }).click();
    for (const page of [ada, ben]) {
      await inConversation(page, /^Dear Tess\./).waitFor({ state: 'detached' });
      await inConversation(page, '/ai say when it was sent').waitFor({ state: 'detached' });
    }
    await replyField(ada)
      .or(ada.getByRole('textbox', { name: 'Instruction to the assistant' }))
      .getByText('/ai say when it was sent')
      .waitFor();
    const { rows } = await app.services.pool.query(
      `select from ticket_messages where ticket_id = $1 and from_kind <> 'trader'`,
      [ticket],
    );
    expect(rows).toEqual([]);
  });

  test('of mail are saved, kept over a reload and sent; what the editor would lose stays as it is', async () => {
    const [ann, bob] = [await app.agent({ name: 'Ann Able' }), await app.agent({ name: 'Bob Best' })];
    const annsBox = await createMailbox(app.services, { firm: app.firm, writes: [ann] });
    const bobsBox = await createMailbox(app.services, { firm: app.firm, writes: [bob] });
    const { page } = ann;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByLabel('To', { exact: true }).fill(bobsBox.email);
    await page.getByRole('textbox', { name: 'Subject' }).fill('Numbers');
    const message = page.getByRole('textbox', { name: 'Message' });
    await message.click();
    await editor(page, message);
    await page.keyboard.type('Dear Bob,');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Bold' }).click();
    await page.keyboard.type('two  < three');
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1. one ');
    await paste(page, {
      'text/html': '<a href="https://a.example/" onclick="x()">and</a><img src="https://a.example/i.png">',
      'text/plain': 'and',
    });
    await expectAccessibleInBothThemes(page, 'rich-text-mail');
    const id = new URL(page.url()).searchParams.get('message')!;
    const bodyOf = async (of: string) =>
      (await app.services.pool.query('select body from mail_messages where id = $1', [of])).rows[0]?.body;
    const BODY =
      '<p>Dear Bob,</p><p><br></p><p><strong>two \u00a0&lt; three</strong></p><ol><li><p>one <a href="https://a.example/">and</a></p></li></ol>';
    await expect.poll(() => bodyOf(id)).toBe(BODY);
    await page.reload();
    await editor(page, message);
    await message.locator('strong', { hasText: 'two  < three' }).waitFor();
    await message.click();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Sending your message').waitFor();
    expect(await bodyOf(id)).toBe(BODY);

    const table = '<table><tr><td>a</td><td>b</td></tr></table>';
    const { id: draft } = await app.call(ann, 'mail.saveDraft', {
      address_id: annsBox.id,
      subject: 'Table',
      body: table,
    });
    await page.goto(`/mail?folder=drafts&message=${draft}`);
    await page.getByText('This message has formatting that can’t be edited here.').waitFor();
    expect(await bodyOf(draft)).toBe(table);
  });
});
