import { randomBytes } from 'node:crypto';
import { MAX_ATTACHMENT_BYTES } from '@firmdesk/contract';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible, expectAccessibleInBothThemes } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole, openTicket, QUESTION } from './browser.ts';

/** A picture of 1 × 1 pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n');
const file = (name: string, mimeType = 'image/png', buffer = PNG) => ({ name, mimeType, buffer });

describeInBrowser('attachments', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
    page.getByLabel('Files to attach').setInputFiles(files);
  /** Pastes or drops a picture. */
  const transfer = (page: Page, type: 'paste' | 'drop', name: string) =>
    page.getByRole('textbox', { name: /^Reply to/ }).evaluate(
      (field, { type, name, content }) => {
        const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], name, { type: 'image/png' }));
        const init = { bubbles: true, cancelable: true };
        field.dispatchEvent(
          type === 'paste'
            ? new ClipboardEvent('paste', { ...init, clipboardData: data })
            : new DragEvent('drop', { ...init, dataTransfer: data }),
        );
      },
      { type, name, content: PNG.toString('base64') },
    );
  const remove = (page: Page, name: string) => page.getByRole('button', { name: `Remove ${name}` });

  test('chooses, pastes and drops files, keeps them over a reload, and shows them to a colleague', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    const photo = await sharp(randomBytes(900 * 600 * 3), { raw: { width: 900, height: 600, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer();
    await choose(
      ada,
      file('chosen.png'),
      file('statement.pdf', 'application/pdf', PDF),
      file('photo.jpg', 'image/jpeg', photo),
    );
    await transfer(ada, 'paste', 'pasted.png');
    await transfer(ada, 'drop', 'dropped.png');
    const names = ['chosen.png', 'statement.pdf', 'photo.jpg', 'pasted.png', 'dropped.png'];
    // Each can be removed once it is uploaded.
    for (const name of names) await remove(ada, name).waitFor();
    await expectAccessible(ada);
    await openTicket(ada, ticket);
    for (const name of names) await remove(ada, name).waitFor();
    await remove(ada, 'dropped.png').click();
    await remove(ada, 'dropped.png').waitFor({ state: 'detached' });
    await ada.getByRole('button', { name: 'Send reply' }).click();
    for (const page of [ada, ben]) {
      const message = page.getByRole('article', { name: 'Message, Ada Able' });
      await message.getByRole('link', { name: /statement\.pdf/ }).waitFor();
      // A large image is sent smaller.
      for (const [name, width] of [
        ['chosen.png', 1],
        ['photo.jpg', 640],
      ] as const) {
        const picture = message.getByRole('button', { name: `${name}, enlarge` }).locator('img');
        await picture.scrollIntoViewIfNeeded();
        await expect
          .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 30_000 })
          .toBe(width);
      }
      expect(await message.getByRole('listitem').count()).toBe(4);
    }
    await ben.getByRole('button', { name: 'chosen.png, enlarge' }).click();
    await ben
      .getByRole('dialog', { name: 'chosen.png' })
      .getByRole('link', { name: /^Download/ })
      .waitFor();
    await expectAccessible(ben);
    const download = ben.waitForEvent('download');
    await ben.keyboard.press('Escape');
    await ben.getByRole('dialog').waitFor({ state: 'detached' });
    await ben.getByRole('link', { name: /statement\.pdf/ }).click();
    expect((await download).suggestedFilename()).toBe('statement.pdf');
  });

  test('shows an image that has no thumbnail as a link with the icon of an image', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent();
    await openTicket(page, ticket);
    const damaged = Buffer.concat([PNG.subarray(0, 24), Buffer.alloc(300_000)]);
    await choose(page, file('damaged.png', 'image/png', damaged));
    await remove(page, 'damaged.png').waitFor();
    const draft = page.getByRole('list', { name: 'Attached files' });
    await draft.locator('img').waitFor({ state: 'detached' });
    await draft.locator('.lucide-image').waitFor();
    await page.getByRole('button', { name: 'Send reply' }).click();
    const link = page.getByRole('list', { name: 'Files' }).getByRole('link', { name: /damaged\.png/ });
    await link.locator('.lucide-image').waitFor();
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await link.click();
    expect((await download).suggestedFilename()).toBe('damaged.png');
  });

  test('waits for the line and says so, and sends nothing before all files are uploaded', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page, context } = await app.agent();
    await openTicket(page, ticket);
    await page.keyboard.press('n');
    const note = page.getByRole('textbox', { name: 'Internal note' });
    await note.fill('See the passport.');
    await context.setOffline(true);
    await choose(page, file('passport.png'));
    await page.getByText('Uploads when you’re back online. Keep this page open.').waitFor();
    expect(await page.getByRole('button', { name: 'Add internal note' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await context.setOffline(false);
    await remove(page, 'passport.png').waitFor();
    await page.getByRole('button', { name: 'Add internal note' }).click();
    const sent = page.getByRole('article', { name: /^Internal note/ });
    await sent.getByRole('button', { name: 'passport.png, enlarge' }).waitFor();
  });

  test('takes files of all types, marks programs, and shows what a scan has found', async () => {
    const { ticket, agents } = await app.openTicketFor('Ada Able', 'Ben Best');
    const [ada, ben] = agents.map(({ page }) => page) as [Page, Page];
    const release = Promise.withResolvers<void>();
    app.services.scanner = {
      async scan(content) {
        const text = Buffer.concat(await content.toArray()).toString('latin1');
        await release.promise;
        return text.includes('EICAR') ? 'infected' : 'clean';
      },
    };
    const type = 'application/octet-stream';
    await choose(
      ada,
      file('trades.csv', 'text/csv', Buffer.from('date;profit')),
      file('statement.pdf.exe', type, Buffer.from('MZ')),
      file('Invoice\u202efdp.exe', type, Buffer.from('harmless')),
      file('notes.txt', 'text/plain', Buffer.from('#!/bin/sh')),
      file('virus.zip', 'application/zip', Buffer.from('EICAR')),
    );
    const names = ['trades.csv', 'statement.pdf.exe', 'Invoicefdp.exe', 'notes.txt', 'virus.zip'];
    for (const name of names) await remove(ada, name).waitFor();
    await ada.getByRole('button', { name: 'Send reply' }).click();
    const message = ben.getByRole('article', { name: 'Message, Ada Able' });
    await expect.poll(() => message.getByText('is being checked for malware').count()).toBe(5);
    await expectAccessible(ben);
    release.resolve();
    await message.getByText('virus.zip contains malware and can’t be opened.').waitFor();
    const marked = message.getByRole('link').filter({ hasText: 'Program: it can harm your computer.' });
    await expect
      .poll(() => marked.allInnerTexts())
      .toEqual(
        ['statement.pdf.exe', 'Invoicefdp.exe', 'notes.txt'].map((name) => expect.stringContaining(name)),
      );
    await expectAccessible(ben);
    await expectAccessibleInBothThemes(ben, 'files');
    const download = ben.waitForEvent('download');
    await message.getByRole('link', { name: /trades\.csv/ }).click();
    expect((await download).suggestedFilename()).toBe('trades.csv');
    expect(ticket).toBeTruthy();
    app.services.scanner = null;
  });

  test('can be cancelled and tried again, and says what is wrong with a file', async () => {
    const ticket = await app.ticket({ messages: [{ body: QUESTION }] });
    const { page } = await app.agent();
    await openTicket(page, ticket);
    let hold = Promise.withResolvers<void>();
    await page.route('**/attachments/**', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await hold.promise;
      return route.continue().catch(() => {});
    });
    await choose(page, file('slow.png'));
    await page.getByRole('progressbar', { name: 'Upload of slow.png' }).waitFor();
    await page.getByRole('button', { name: 'Cancel slow.png' }).click();
    await page.getByRole('list', { name: 'Attached files' }).waitFor({ state: 'detached' });
    hold.resolve();

    // The line breaks in the middle: the service has refused nothing yet.
    await page.unroute('**/attachments/**');
    await page.route('**/attachments/**', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 422, json: { error: { message: 'The content must arrive complete.' } } })
        : route.continue(),
    );
    await choose(page, file('refused.png'));
    await page.getByText('The content must arrive complete.').waitFor();
    await page.unroute('**/attachments/**');
    await page.getByRole('button', { name: 'Upload refused.png again' }).click();
    await remove(page, 'refused.png').click();
    await choose(
      page,
      file('large.png', 'image/png', Buffer.concat([PNG, Buffer.alloc(MAX_ATTACHMENT_BYTES)])),
    );
    await page.getByText('Choose a file of at most 25 MB.').waitFor();

    hold = Promise.withResolvers<void>();
    await page.route('**/attachments/**', async (route) => {
      if (route.request().method() === 'PUT') await hold.promise;
      return route.continue().catch(() => {});
    });
    await choose(page, file('left.png'));
    await page.getByRole('progressbar', { name: 'Upload of left.png' }).waitFor();
    // What was not uploaded when the page was left is said to be lost.
    await openTicket(page, ticket);
    await page.getByText('Not uploaded. Remove it and choose the file again.').waitFor();
    hold.resolve();
  });
});
