/** People of two firms, with an installation each, work in the browser while their mail passes through Postfix. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../free-port.ts';
import { type InstalledFirm, installFirm } from '../mail/installed-firm.ts';
import { hasPostfix, startPostfix } from '../mail/postfix.ts';
import { viewports } from './accessibility.ts';
import { describeInBrowser, startSession } from './browser.ts';
import { fieldText } from './case-list.ts';
import { launchBrowser } from './find-browser.ts';

/** Mail is held for 10 s, and programs start again. */
const SOON = { timeout: 120_000 };

describeInBrowser('through Postfix', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const open = async ({ url, email }: InstalledFirm): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: url,
      viewport: viewports['a wide screen'],
      locale: 'en-GB',
      timezoneId: 'Europe/London',
      serviceWorkers: 'block',
    });
    context.setDefaultTimeout(SOON.timeout);
    await startSession(context, url, { email });
    const page = await context.newPage();
    await page.goto('/mail');
    await page.getByRole('button', { name: 'New draft' }).waitFor();
    return page;
  };
  const rows = (page: Page, subject: string) => page.locator('[data-row]').filter({ hasText: subject });
  const text = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  const attach = (page: Page, name: string, content: Buffer) =>
    page.getByLabel('Files to attach').setInputFiles({ name, mimeType: 'text/csv', buffer: content });
  const download = async (page: Page, name: string) => {
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    return readFile(await (await started).path());
  };
  const send = async (page: Page) => {
    await page.locator('[data-draft-status=saved]').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Sending your message').waitFor();
  };

  test.skipIf(!hasPostfix)(
    'two people write, attach, reply, invite and answer while each process is killed once',
    async () => {
      const ports = [await freePort(), await freePort()] as const;
      await using postfix = await startPostfix({
        'north.example': `lmtp:[127.0.0.1]:${ports[0]}`,
        'south.example': `lmtp:[127.0.0.1]:${ports[1]}`,
      });
      const install = (domain: string, lmtpPort: number) =>
        installFirm({ domain, smtpUrl: postfix.url, lmtpPort });
      await using north = await install('north.example', ports[0]);
      await using south = await install('south.example', ports[1]);
      const [ann, bob] = [await open(north), await open(south)];

      // Ann writes with a file. Everything is killed while her message is held.
      const [numbers, answers] = [Buffer.from('a,b\n1,2\n'), Buffer.from('c,d\n3,4\n')];
      await ann.keyboard.press('c');
      await ann.getByLabel('To', { exact: true }).fill(south.email);
      await ann.getByRole('textbox', { name: 'Subject' }).fill('Zahlen für März');
      await text(ann).fill('Grüße, see the file.');
      await attach(ann, 'numbers.csv', numbers);
      await ann.getByRole('button', { name: 'Remove numbers.csv' }).waitFor();
      await send(ann);
      await Promise.all([north.kill(), south.kill(), postfix.kill()]);
      await Promise.all([north.start(), south.start(), postfix.start()]);

      // Bob's page, which lost its server, shows it. He answers with a file of his own.
      await rows(bob, 'Zahlen für März').click();
      await bob.frameLocator('iframe').getByText('Grüße, see the file.').waitFor();
      expect(await download(bob, 'numbers.csv')).toEqual(numbers);
      await bob.keyboard.press('r');
      await expect.poll(() => text(bob).evaluate(fieldText)).toMatch(/wrote:\n> Grüße, see/);
      await bob.keyboard.type('Thank you, here are mine.');
      await attach(bob, 'answers.csv', answers);
      await bob.getByRole('button', { name: 'Remove answers.csv' }).waitFor();
      await send(bob);

      // It joins Ann's conversation. Her page has lost its server, too.
      await ann.getByRole('link', { name: 'Inbox' }).click();
      await rows(ann, 'Re: Zahlen für März').click();
      const conversation = ann.getByRole('article', { name: /Zahlen für März/ });
      await expect.poll(() => conversation.getByRole('listitem', { name: /^Message/ }).count()).toBe(2);
      await ann.frameLocator('iframe').getByText('Thank you, here are mine.').waitFor();
      expect(await download(ann, 'answers.csv')).toEqual(answers);

      // Ann invites Bob, who gets it in his mail and in his calendar, and accepts.
      const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
      await ann.goto(`/calendar?day=${tomorrow}`);
      await ann.getByRole('button', { name: 'New event' }).click();
      const dialog = ann.getByRole('dialog', { name: 'New event' });
      await dialog.getByLabel('Title').fill('Numbers of the quarter');
      await dialog.getByRole('combobox', { name: 'Guests' }).fill(south.email);
      await dialog.getByRole('combobox', { name: 'Guests' }).press(',');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await bob.getByRole('link', { name: 'Inbox' }).click();
      await rows(bob, 'Numbers of the quarter').waitFor();
      await bob.goto(`/calendar?day=${tomorrow}`);
      const event = (page: Page) => page.getByRole('button', { name: /^Numbers of the quarter/ }).first();
      await event(bob).click();
      await bob.getByText('You are invited').waitFor();
      await bob.getByRole('button', { name: 'Accept' }).click();
      await expect
        .poll(async () => {
          await ann.reload();
          await event(ann).click();
          return ann.getByRole('listitem').filter({ hasText: south.email }).last().textContent();
        }, SOON)
        .toMatch(/Going$/);

      // What was lost or doubled would be seen now.
      const subjects = async ({ phone }: InstalledFirm) => (await phone.list()).map(({ subject }) => subject);
      expect((await subjects(south)).filter((subject) => subject === 'Zahlen für März')).toHaveLength(1);
      expect((await subjects(north)).filter((subject) => subject === 'Re: Zahlen für März')).toHaveLength(1);
    },
  );
});
