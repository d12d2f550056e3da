import { createMailbox, createMailMessage, createTag, type TestMailMessage } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, viewports } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { fieldText } from './case-list.ts';
import { recipientsOf } from './recipients.ts';
import { selectValue } from './select-value.ts';

describeInBrowser('conversations of mail', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates a mailbox with a conversation of three messages, of which the last is unread, and another message. */
  async function conversation(agent: Agent) {
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    let minutes = 60;
    const add = async (body: string, about: { replyTo?: TestMailMessage; folder?: 'sent' } = {}) => {
      minutes -= 5;
      const messageAt = new Date(Date.now() - minutes * 60_000).toISOString();
      const message = await createMailMessage(app.services, { mailbox, messageAt, ...about });
      await app.services.pool.query('update mail_messages set body = $2, is_read = $3 where id = $1', [
        message.id,
        body,
        about.folder === 'sent',
      ]);
      return message;
    };
    const other = await add('<p>Something else.</p>');
    const first = await add('<p>Where is my payout?</p>');
    const answer = await add('<p>It left on Monday.</p>', { replyTo: first, folder: 'sent' });
    const last = await add(
      `<p>It has arrived, thank you.</p><div class="gmail_quote"><div class="gmail_attr">On Monday we wrote:</div><blockquote>It left on Monday.</blockquote></div>`,
      { replyTo: first },
    );
    await app.services.pool.query(`update mail_messages set is_read = true where id = $1`, [first.id]);
    return { mailbox, other, first, answer, last };
  }

  const row = (page: Page, { id }: TestMailMessage) => page.locator(`[data-row=${id}]`);
  const stored = async (column: string, { threadId }: TestMailMessage) => {
    const { rows } = await app.services.pool.query(
      `select ${column} as value from mail_threads where id = $1`,
      [threadId],
    );
    return rows[0].value;
  };

  test('shows all messages on one page, those that were read collapsed, and folds quoted text', async () => {
    const agent = await app.agent({ viewport: viewports['a wide screen'] });
    const { first, last } = await conversation(agent);
    const { page } = agent;
    await page.goto('/mail');
    await expect.poll(() => page.locator('[data-row]').count()).toBe(2);
    await row(page, last).getByText('3 messages').waitFor({ state: 'attached' });
    await page.keyboard.press('j');
    const article = page.getByRole('article', { name: 'Quarterly numbers' });
    await article.waitFor();
    expect(new URL(page.url()).searchParams.get('message')).toBe(last.id);
    const messages = article.getByRole('listitem');
    await expect.poll(() => messages.count()).toBe(3);
    const frames = article.locator('iframe');
    await expect.poll(() => frames.count()).toBe(1);
    const shown = page.frameLocator('iframe');
    await shown.getByText('It has arrived').waitFor();
    expect(await shown.getByText('It left on Monday.').count()).toBe(0);
    await expectAccessibleInBothThemes(page, 'mail-conversation');
    await page.getByRole('button', { name: 'Show quoted text' }).click();
    await shown.getByText('It left on Monday.').waitFor();
    await messages.first().getByRole('button', { expanded: false }).click();
    await expect.poll(() => frames.count()).toBe(2);
    await page.frameLocator('iframe >> nth=0').getByText('Where is my payout?').waitFor();
    await expect.poll(async () => (await frames.first().boundingBox())?.height).toBeGreaterThan(30);
    // All of it was read by opening it.
    await expect
      .poll(async () => {
        const { rows } = await app.services.pool.query(
          'select count(*)::int as unread from mail_messages where thread_id = $1 and not is_read',
          [first.threadId],
        );
        return rows[0].unread;
      })
      .toBe(0);
  });

  test.each(['a wide screen', 'a phone'] as const)(
    'a second reply opens the draft of the first on %s',
    async (screen) => {
      const agent = await app.agent({ viewport: viewports[screen] });
      const { last, first } = await conversation(agent);
      const { page } = agent;
      await page.goto(`/mail?message=${last.id}`);
      await page.getByRole('article', { name: 'Quarterly numbers' }).waitFor();
      await page.keyboard.press('r');
      const text = page.getByRole('textbox', { name: 'Message' });
      await text.waitFor();
      await page.keyboard.type('You are welcome.');
      await page.locator('[data-draft-status=saved]').waitFor();
      const draft = new URL(page.url()).searchParams.get('message');
      // It stays below the messages of its conversation.
      await page.getByRole('listitem', { name: 'Message from Ann' }).first().waitFor();
      await expectAccessibleInBothThemes(page, `mail-conversation-draft-${screen.replaceAll(' ', '-')}`);
      await page
        .getByRole('listitem', { name: 'Message from Ann' })
        .last()
        .getByRole('button')
        .first()
        .focus();
      await page.keyboard.press('r');
      await expect.poll(() => text.evaluate((field) => field === document.activeElement)).toBe(true);
      expect(new URL(page.url()).searchParams.get('message')).toBe(draft);
      const { rows } = await app.services.pool.query(
        `select id from mail_messages where thread_id = $1 and folder = 'drafts'`,
        [first.threadId],
      );
      expect(rows).toEqual([{ id: draft }]);
    },
  );

  test('stars, tags and snoozes a conversation by keys, and undoes it', async () => {
    const agent = await app.agent();
    const tag = await createTag(app.services, { firm: app.firm, name: 'Payout' });
    const { last, other } = await conversation(agent);
    const { page } = agent;
    await page.goto('/mail');
    await row(page, last).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('article', { name: 'Quarterly numbers' }).waitFor();
    await page.keyboard.press('*');
    await row(page, last).getByRole('img', { name: 'Starred' }).waitFor();
    await expect.poll(() => stored('is_starred', last)).toBe(true);
    await page.keyboard.press('l');
    await page.getByRole('dialog', { name: 'Tags' }).waitFor();
    await page.keyboard.type('payo');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await row(page, last).getByText('Payout').waitFor();
    await page.getByRole('link', { name: 'Payout' }).first().click();
    await page.getByRole('heading', { name: 'Payout' }).waitFor();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(1);
    await page.getByRole('link', { name: /^Inbox/ }).click();
    await row(page, other).waitFor();
    await row(page, last).click();
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: 'Snooze the conversation' }).waitFor();
    await expectAccessibleInBothThemes(page, 'mail-snooze');
    await page.getByRole('button', { name: /^Tomorrow/ }).click();
    await row(page, last).waitFor({ state: 'detached' });
    await expect.poll(() => stored('snoozed_until is not null', last)).toBe(true);
    await page.keyboard.press('z');
    await row(page, last).waitFor();
    await expect.poll(() => stored('snoozed_until', last)).toBe(null);
    expect(tag).toBeGreaterThan(0);
  });

  test('recipients are chips: suggested by any part of a name, pasted, moved among and removed by keys', async () => {
    const agent = await app.agent({ viewport: viewports['a wide screen'] });
    const { mailbox } = await conversation(agent);
    const { page } = agent;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    const to = page.getByRole('combobox', { name: 'To' });
    await to.pressSequentially('elsew');
    await page.getByRole('option', { name: /ann@elsewhere/ }).waitFor();
    await expectAccessibleInBothThemes(page, 'mail-suggestions');
    await page.keyboard.press('Enter');
    await expect.poll(() => recipientsOf(page)).toEqual(['Ann']);
    await to.evaluate((field) => {
      const data = new DataTransfer();
      data.setData(
        'text/plain',
        'Bo Best <bo@x.example>; "Lee, Cy" <cy@x.example>\nann@elsewhere.example\nhalf@',
      );
      field.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    });
    expect(await recipientsOf(page)).toEqual(['Ann', 'Bo Best', 'Lee, Cy', 'half@']);
    const saved = async () => {
      const { rows } = await app.services.pool.query(
        `select to_recipients from mail_messages where mailbox_id = $1 and folder = 'drafts'`,
        [mailbox.id],
      );
      return rows[0].to_recipients.map(({ email }: { email: string }) => email);
    };
    // What is no address does not keep the rest from being saved.
    await expect.poll(saved).toEqual(['ann@elsewhere.example', 'bo@x.example', 'cy@x.example']);
    await page.getByText('half@, not an address').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-chips');
    await to.focus();
    await page.keyboard.press('Backspace');
    expect(await to.inputValue()).toBe('half@');
    await page.keyboard.type('x.example,');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Delete');
    await expect.poll(() => recipientsOf(page)).toEqual(['Ann', 'Bo Best', 'half@x.example']);
    await expect.poll(saved).toEqual(['ann@elsewhere.example', 'bo@x.example', 'half@x.example']);
  });

  test('changes selected conversations and all of a list, shows how far it is, undoes it, and empties the trash', async () => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    for (let i = 0; i < 120; i++) await createMailMessage(app.services, { mailbox });
    const inFolder = async (folder: string) => {
      const { rows } = await app.services.pool.query(
        'select count(*)::int as count from mail_messages where mailbox_id = $1 and folder = $2',
        [mailbox.id, folder],
      );
      return rows[0].count;
    };
    const { page } = agent;
    await page.goto('/mail');
    const rows = page.locator('[data-row]');
    await rows.nth(2).waitFor();
    await page.getByRole('checkbox').nth(1).check();
    await rows.first().focus();
    await page.keyboard.press('x');
    const bar = page.getByRole('toolbar', { name: 'Selected conversations' });
    await bar.getByText('2 selected').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-bulk');
    await bar.getByRole('button', { name: 'Archive selected' }).click();
    await expect.poll(() => inFolder('archive')).toBe(2);
    await page.keyboard.press('X');
    await bar.getByText('All in Inbox').waitFor();
    await bar.getByRole('button', { name: 'Move selected to trash' }).click();
    await page.getByText('118 conversations moved to Trash').waitFor();
    expect(await inFolder('trash')).toBe(118);
    await page.keyboard.press('z');
    await expect.poll(() => inFolder('inbox')).toBe(118);
    await page.keyboard.press('z');
    await expect.poll(() => inFolder('inbox')).toBe(120);

    await rows.first().waitFor();
    await rows.first().focus();
    await page.keyboard.press('#');
    await expect.poll(() => inFolder('trash')).toBe(1);
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Empty trash' }).click();
    await expectAccessibleInBothThemes(page, 'mail-empty-trash', '[role=alertdialog]');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Empty trash' }).click();
    await page.getByText('The trash is empty').waitFor();
    expect(await inFolder('trash')).toBe(0);
  });

  test('the signature of a mailbox is below new messages and replies, and its automatic answer is set', async () => {
    const agent = await app.agent({ viewport: viewports['a wide screen'] });
    const { last, mailbox } = await conversation(agent);
    const { page } = agent;
    await page.goto('/settings/mailboxes');
    await page.getByLabel('Below each new message and reply').fill('Kind regards\nRobin');
    await page.getByRole('switch', { name: 'Answer automatically' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('must not be empty while the answer is on').waitFor();
    await page.getByLabel('Answer', { exact: true }).fill('We are back on Monday.');
    await expectAccessibleInBothThemes(page, 'mailbox-settings');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Mailbox settings saved').waitFor();
    const { rows } = await app.services.pool.query('select absence from mailboxes where id = $1', [
      mailbox.id,
    ]);
    expect(rows[0].absence).toMatchObject({ is_on: true, text: 'We are back on Monday.', user_id: agent.id });
    await page.goto(`/mail?message=${last.id}`);
    await page.getByRole('article', { name: 'Quarterly numbers' }).waitFor();
    await page.keyboard.press('r');
    const text = page.getByRole('textbox', { name: 'Message' });
    await expect.poll(() => text.evaluate(fieldText)).toMatch(/^\n\n-- \nKind regards\nRobin\n\nOn /);
  });

  test('rules of a mailbox are added, tried, changed, ordered and deleted', async () => {
    const agent = await app.agent({ viewport: viewports['a wide screen'] });
    const { mailbox } = await conversation(agent);
    const { page } = agent;
    await page.goto('/settings/mailboxes');
    await page.getByText('No rules yet.').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    const dialog = page.getByRole('dialog', { name: 'New rule' });
    const from = dialog.getByLabel('From contains');
    await expect.poll(() => from.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByText('must not be empty, unless the rule has another condition').waitFor();
    await page.keyboard.type('elsewhere');
    await dialog.getByRole('button', { name: 'Try on existing mail' }).click();
    await dialog.getByText('3 of the newest 3 received messages match.').waitFor();
    await from.press('Enter');
    await dialog.getByText('Choose at least one thing to do.').waitFor();
    await dialog.getByLabel('Star').check();
    await dialog.getByLabel('Forward to').fill('nobody@elsewhere.example');
    await from.press('Enter');
    await dialog.getByText('must be the address of another mailbox of the firm').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-rule');
    await dialog.getByLabel('Forward to').fill('');
    await from.press('Enter');
    await page.getByText('From contains “elsewhere”').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    await dialog.getByLabel('Subject contains').fill('invoice');
    await selectValue(dialog.getByLabel('Folder'), 'Archive');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const rules = page.getByRole('list', { name: 'Rules, in the order in which they run' });
    const texts = () => rules.getByRole('listitem').allInnerTexts();
    const [starred, filed] = [
      'From contains “elsewhere”\nStar',
      'Subject contains “invoice”\nMove to archive',
    ];
    await expect.poll(texts).toEqual([starred, filed]);
    await expectAccessibleInBothThemes(page, 'mail-rules');
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Actions of the rule “Subject contains' }).press('Enter');
      await page.getByRole('menuitem', { name: item }).press('Enter');
    };
    await choose('Move up');
    await expect.poll(texts).toEqual([filed, starred]);
    await choose('Edit');
    await page.getByRole('dialog', { name: 'Edit rule' }).getByLabel('Mark as read').check();
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect.poll(texts).toEqual([`${filed}, mark as read`, starred]);
    await choose('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(texts).toEqual([starred]);
    const { rows } = await app.services.pool.query('select rules from mailboxes where id = $1', [mailbox.id]);
    expect(rows[0].rules).toMatchObject([{ from: 'elsewhere', star: true, user_id: agent.id }]);
  });

  test('opens a ticket from a mail, and leads from each to the other', async () => {
    const agent = await app.agent({ viewport: viewports['a wide screen'] });
    const { last } = await conversation(agent);
    await app.services.pool.query('update mail_messages set from_email = $2 where id = $1', [
      last.id,
      app.trader.email,
    ]);
    const { page } = agent;
    await page.goto(`/mail?message=${last.id}`);
    await page.getByRole('button', { name: 'Open a ticket' }).press('Enter');
    await page.waitForURL(/\/tickets\/tkt_/);
    const details = page.getByRole('region', { name: 'Mail' });
    await details.getByRole('link', { name: 'Quarterly numbers' }).first().click();
    const link = page.getByRole('article').getByRole('link', { name: /^Ticket #/ });
    await link.waitFor();
    await expectAccessibleInBothThemes(page, 'mail-with-ticket');
    await link.press('Enter');
    await page.waitForURL(/\/tickets\/tkt_/);
  });

  test('warns who writes an answer that a colleague has sent one meanwhile, and says who sent it', async () => {
    const [ann, bob] = [await app.agent({ name: 'Ann Able' }), await app.agent({ name: 'Bob Best' })];
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [ann, bob] });
    const { id } = await createMailMessage(app.services, { mailbox });
    const { page } = ann;
    await page.goto(`/mail?message=${id}`);
    await page.getByRole('article', { name: 'Quarterly numbers' }).waitFor();
    await page.keyboard.press('r');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    // Who reads a conversation sees who writes.
    await bob.page.goto(`/mail?message=${id}`);
    await bob.page.getByText('Ann Able is viewing').waitFor();
    await page.getByText('Bob Best is viewing').waitFor();
    await page.keyboard.type('Thank you');
    await bob.page.getByText('Ann Able is typing…').waitFor();
    const warning = page.getByText(/Bob Best has answered this message already/);
    expect(await warning.count()).toBe(0);
    await app.call(bob, 'mail.send', {
      address_id: mailbox.id,
      to: ['ann@elsewhere.example'],
      subject: 'Re: Quarterly numbers',
      body: '<p>Done.</p>',
      in_reply_to: id,
    });
    await warning.waitFor();
    await page.getByText('by Bob Best').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-second-answer');
  });
});
