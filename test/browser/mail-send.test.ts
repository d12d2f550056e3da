import { createMailbox, createMailMessage } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessibleInBothThemes, viewports } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { fieldText } from './case-list.ts';
import { caretKnown } from './editor-field.ts';
import { recipientsOf } from './recipients.ts';

describeInBrowser('sending mail', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const mail = (agent: Agent) => createMailbox(app.services, { firm: app.firm, writes: [agent] });
  const to = (page: Page) => page.getByLabel('To', { exact: true });
  const subject = (page: Page) => page.getByRole('textbox', { name: 'Subject' });
  const text = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
  const row = (page: Page, name: RegExp) => page.locator('[data-row]').filter({ hasText: name });
  const stored = async (id: string) => {
    const { rows } = await app.services.pool.query(
      'select folder, thread_id, answers_id from mail_messages where id = $1',
      [id],
    );
    return rows[0];
  };

  test('two people write to each other: sent, undone, sent again, answered and found', async () => {
    const [ann, bob] = [
      await app.agent({ name: 'Ann Able', viewport: viewports['a wide screen'] }),
      await app.agent({ name: 'Bob Best' }),
    ];
    const [annsBox, bobsBox] = [await mail(ann), await mail(bob)];
    const { page } = ann;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).waitFor();
    await page.keyboard.press('c');
    await subject(page).fill('Numbers of May');
    await text(page).fill('Dear Bob,\nhere they are.');
    const id = new URL(page.url()).searchParams.get('message')!;

    // What is missing is said at its field, which gets the focus.
    await send(page).click();
    await page.getByText('Add a recipient.').waitFor();
    await expect.poll(() => to(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await to(page).fill(`${bobsBox.email}, half@`);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Enter a valid email address.').waitFor();
    expect((await stored(id)).folder).toBe('drafts');

    await page.getByRole('button', { name: 'Remove half@' }).click();
    await text(page).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Sending your message').waitFor();
    await page.getByRole('article', { name: 'Draft' }).waitFor({ state: 'detached' });
    expect((await stored(id)).folder).toBe('sent');
    await page.keyboard.press('z');
    await expect.poll(() => text(page).evaluate(fieldText)).toBe('Dear Bob,\nhere they are.');
    expect(await recipientsOf(page)).toEqual([bobsBox.email]);
    expect((await stored(id)).folder).toBe('drafts');

    await send(page).click();
    await page.getByRole('link', { name: 'Sent' }).click();
    await row(page, /Numbers of May/).click();
    const delivery = page.getByRole('region', { name: 'Delivery' });
    await delivery.getByText(`Delivered to ${bobsBox.email}`).waitFor();
    await expectAccessibleInBothThemes(page, 'mail-sent');

    await bob.page.goto('/mail');
    await row(bob.page, /Numbers of May/).click();
    await bob.page.getByRole('article', { name: 'Numbers of May' }).waitFor();
    await bob.page.keyboard.press('r');
    await expect
      .poll(() => text(bob.page).evaluate(fieldText))
      .toMatch(/^\n\nOn .* wrote:\n> Dear Bob,\n> here/);
    await bob.page.keyboard.type('Thank you.');
    expect(await text(bob.page).evaluate(fieldText)).toMatch(/^Thank you\.\n\nOn /);
    expect(await recipientsOf(bob.page)).toEqual([annsBox.email]);
    expect(await subject(bob.page).inputValue()).toBe('Re: Numbers of May');
    await expectAccessibleInBothThemes(bob.page, 'mail-reply');
    const reply = new URL(bob.page.url()).searchParams.get('message')!;
    await bob.page.keyboard.press('Control+Enter');
    await bob.page.getByRole('article', { name: 'Numbers of May' }).waitFor();
    const { answers_id } = await stored(reply);
    expect(await stored(answers_id)).toMatchObject({ thread_id: (await stored(reply)).thread_id });

    await page.getByRole('link', { name: 'Inbox' }).click();
    await row(page, /Re: Numbers of May/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('in:outbox');
    await page.keyboard.press('Enter');
    await page.getByText(/The search must name one of the folders/).waitFor();
    await page.getByText('Change the search').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-search-refused');
    expect(await page.getByText(/The search must name one of the folders/).isVisible()).toBe(true);
    await page.getByLabel('Search mail').fill('numbers');
    await page.keyboard.press('Enter');
    await row(page, /Re: Numbers of May/)
      .filter({ hasText: 'Inbox' })
      .waitFor();
    await row(page, /Numbers of May/)
      .filter({ hasText: 'Sent' })
      .waitFor();
    await expectAccessibleInBothThemes(page, 'mail-search');
    await page.keyboard.press('Enter');
    await page.getByRole('article', { name: 'Re: Numbers of May' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();

    // What was found is highlighted in the list, and in the message that Enter opens.
    await page.getByLabel('Search mail').fill('thánk');
    await page.keyboard.press('Enter');
    const highlighted = () =>
      page.evaluate(() => [...(CSS.highlights.get('search-match') ?? [])].map((range) => String(range)));
    await expect.poll(highlighted).toEqual(['Thank']);
    await page.keyboard.press('Enter');
    const frame = page.getByRole('article').locator('iframe').last();
    const inFrame = () =>
      frame.evaluate((element) => {
        const { CSS: css } = (element as HTMLIFrameElement).contentWindow as Window & typeof globalThis;
        return [...(css.highlights.get('search-match') ?? [])].map((range) => String(range));
      });
    await expect.poll(inFrame).toEqual(['Thank']);
    await page.getByRole('button', { name: 'Show quoted text' }).click();
    await page.frameLocator('iframe >> nth=-1').getByText('> Dear Bob,').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-found');
  });

  test('says why a message went nowhere, and keeps a draft that the service refuses', async () => {
    const agent = await app.agent();
    await mail(agent);
    const { page } = agent;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await to(page).fill('cy@elsewhere.example');
    await text(page).fill('Never lost');
    await page.route('**/trpc/mail.send**', (route) => route.abort());
    await send(page).click();
    await page.getByText('Message not sent. It is kept as a draft').waitFor();
    expect(await text(page).evaluate(fieldText)).toBe('Never lost');
    await page.unroute('**/trpc/mail.send**');
    await send(page).click();
    await page.getByText('Sending your message').waitFor();
    await page.getByRole('link', { name: 'Sent' }).click();
    await row(page, /Never lost/).click();
    await page
      .getByRole('region', { name: 'Delivery' })
      .getByText('Not sent to cy@elsewhere.example: no mail server is configured')
      .waitFor();
  });

  test('attaches files that are chosen and dropped, tries again, and forwards them', async () => {
    const [ann, bob] = [
      await app.agent({ name: 'Ann Able' }),
      await app.agent({ name: 'Bob Best', viewport: viewports['a phone'] }),
    ];
    const [annsBox, bobsBox] = [await mail(ann), await mail(bob)];
    await createMailMessage(app.services, { mailbox: annsBox });
    const { page } = ann;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await to(page).fill(bobsBox.email);
    await subject(page).fill('Statement');
    const choose = (name: string) =>
      page
        .getByLabel('Files to attach')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
    await page.route('**/attachments/**', (route) => route.fulfill({ status: 413, body: '{}' }));
    await choose('may.csv');
    await page.getByRole('button', { name: 'Upload may.csv again' }).waitFor();
    await send(page).click();
    await page.getByText('Wait until all files are uploaded, or remove them.').waitFor();
    await page.unroute('**/attachments/**');
    await page.getByRole('button', { name: 'Upload may.csv again' }).click();
    await page.getByRole('button', { name: 'Remove may.csv' }).waitFor();
    await text(page).evaluate((field) => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'dropped.txt', { type: 'text/plain' }));
      field.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }));
    });
    await page.getByRole('button', { name: 'Remove dropped.txt' }).click();
    await page.getByRole('button', { name: 'Remove dropped.txt' }).waitFor({ state: 'detached' });
    await page.locator('[data-draft-status=saved]').waitFor();
    await expectAccessibleInBothThemes(page, 'mail-files');
    await page.reload();
    await page.getByRole('button', { name: 'Remove may.csv' }).waitFor();
    await send(page).click();
    await page.getByText('Sending your message').waitFor();

    await bob.page.goto('/mail');
    await row(bob.page, /Statement/).click();
    await bob.page.getByRole('link', { name: /may\.csv/ }).waitFor();
    await expectAccessibleInBothThemes(bob.page, 'mail-phone-message');
    await bob.page.getByRole('button', { name: 'Forward', exact: true }).click();
    await bob.page.getByRole('button', { name: 'Remove may.csv' }).waitFor();
    expect(await subject(bob.page).inputValue()).toBe('Fwd: Statement');
    await expect.poll(() => to(bob.page).evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessibleInBothThemes(bob.page, 'mail-phone-forward');
  });

  test('has images in its text, which are files of the message as long as they are there', async () => {
    const [ann, bob] = [await app.agent({ name: 'Ann Able' }), await app.agent({ name: 'Bob Best' })];
    const [, bobsBox] = [await mail(ann), await mail(bob)];
    const { page } = ann;
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).click();
    await to(page).fill(bobsBox.email);
    await subject(page).fill('Chart');
    await text(page).fill('Before:');
    const id = new URL(page.url()).searchParams.get('message')!;
    const give = (type: 'paste' | 'drop', name: string) =>
      text(page).evaluate(
        (field, [kind, fileName, png]) => {
          const bytes = Uint8Array.from(atob(png!), (character) => character.charCodeAt(0));
          const data = new DataTransfer();
          data.items.add(new File([bytes], fileName!, { type: 'image/png' }));
          const options = { bubbles: true, cancelable: true };
          const { right, bottom } = field.querySelector('p')!.getBoundingClientRect();
          field.dispatchEvent(
            kind === 'paste'
              ? new ClipboardEvent('paste', { ...options, clipboardData: data })
              : new DragEvent('drop', {
                  ...options,
                  dataTransfer: data,
                  clientX: right - 1,
                  clientY: bottom - 1,
                }),
          );
        },
        [type, name, PNG],
      );
    // The editor has an image of its own behind one at the end of a line.
    const images = text(page).locator('img:not(.ProseMirror-separator)');
    const widths = () =>
      images.evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
    // The editor has taken the place of the text box.
    await text(page).and(page.locator('[contenteditable=true]')).waitFor();
    await give('paste', 'chart.png');
    await page.keyboard.type(' after');
    await expect.poll(widths).toEqual([1]);
    await give('drop', 'second.png');
    await expect.poll(widths).toEqual([1, 1]);
    await page
      .getByLabel('Images for the text')
      .setInputFiles({ name: 'third.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await expect.poll(widths).toEqual([1, 1, 1]);
    // They are listed in the text only.
    expect(await page.getByRole('list', { name: 'Attached files' }).count()).toBe(0);

    // A removed one is no file of the message any more, and comes back with the text.
    const files = async () => {
      const { rows } = await app.services.pool.query(
        `select body, (select array_agg(f->>'name') from jsonb_array_elements(attachments) f) as names
           from mail_messages where id = $1`,
        [id],
      );
      return { names: rows[0].names, shown: rows[0].body.match(/<img src="cid:matt_[0-9a-z]+"/g)?.length };
    };
    const all = { names: ['chart.png', 'second.png', 'third.png'], shown: 3 };
    await expect.poll(files).toEqual(all);
    expect(await text(page).innerHTML()).toMatch(/Before:<img[^>]*chart\.png/);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Delete');
    await expect.poll(files).toEqual({ names: null, shown: undefined });
    await page.keyboard.press('Control+z');
    await expect.poll(files).toEqual(all);
    // Nothing is taken from elsewhere.
    await page.keyboard.press('ArrowRight');
    await caretKnown(page);
    await page.keyboard.type('.');
    await text(page).evaluate((field) => {
      const data = new DataTransfer();
      data.setData(
        'text/html',
        '<p>far<img src="https://elsewhere.example/x.png"><img src="cid:matt_0"></p>',
      );
      data.setData('text/plain', 'far');
      field.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }),
      );
    });
    await expect.poll(() => text(page).textContent()).toContain('far');
    expect(await images.count()).toBe(3);

    await page.locator('[data-draft-status=saved]').waitFor();
    await page.reload();
    await expect.poll(widths).toEqual([1, 1, 1]);
    await expectAccessibleInBothThemes(page, 'mail-images');
    await send(page).click();
    await page.getByText('Sending your message').waitFor();
    await bob.page.goto('/mail');
    await row(bob.page, /Chart/).click();
    const shown = bob.page.frameLocator('iframe').first().locator('img');
    await expect.poll(() => shown.count()).toBe(3);
    expect(await shown.first().evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(1);
  });
});

/** An image of one pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
