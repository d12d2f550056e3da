import { readFile } from 'node:fs/promises';
import { deliverMail } from '@firmdesk/domain';
import { createMailbox, createMailMessage } from '@firmdesk/testing';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type Agent, type ConsoleUnderTest, describeInBrowser, holdNext, openConsole } from './browser.ts';

describeInBrowser('mail', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  /** Creates a mailbox that the agent can write to. */
  function mail(agent: Agent) {
    return createMailbox(app.services, { firm: app.firm, writes: [agent] });
  }

  test('restores a message from the trash to its previous folder', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    await createMailMessage(app.services, { mailbox, folder: 'archive' });
    const { page } = agent;
    await page.goto('/mail?folder=archive');
    await page.getByRole('link', { name: /Quarterly numbers/ }).click();
    await page.getByRole('button', { name: 'Move to trash' }).click();
    await page.getByText('No archived messages').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('link', { name: /Quarterly numbers/ }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Restore to Archive' }).click();
    await page.getByText('The trash is empty').waitFor();
    await page.getByRole('link', { name: 'Archive' }).click();
    await page.getByRole('link', { name: /Quarterly numbers/ }).waitFor();
  });

  test('keeps the focus in the list, so that keys go on with the next message', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    for (const at of [1, 2, 3, 4])
      await createMailMessage(app.services, {
        mailbox,
        messageAt: new Date(Date.now() - at * 60_000).toISOString(),
      });
    const { page } = agent;
    await page.goto('/mail');
    const rows = page.locator('[data-row]');
    await expect.poll(() => rows.count()).toBe(4);
    const ids = await rows.evaluateAll((each) => each.map((row) => row.getAttribute('data-row')));
    await rows.first().click();
    await page.getByRole('article', { name: 'Quarterly numbers' }).waitFor();
    await page.keyboard.press('j');
    for (const left of [3, 2]) {
      await page.keyboard.press('e');
      await expect.poll(() => rows.count()).toBe(left);
    }
    const shown = await rows.evaluateAll((each) => each.map((row) => row.getAttribute('data-row')));
    expect(shown).toEqual([ids[0], ids[3]]);
    await page.locator(`[data-row=${ids[3]}]:focus`).waitFor();
  });

  test('undoes moves in reverse order, each once, also one that is not saved yet', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const inbox: string[] = [];
    for (const at of [1, 2]) {
      const { id } = await createMailMessage(app.services, {
        mailbox,
        messageAt: new Date(Date.now() - at * 60_000).toISOString(),
      });
      inbox.push(id);
    }
    const foldersOf = async () => {
      const { rows } = await app.services.pool.query(
        'select id, folder from mail_messages where mailbox_id = $1',
        [mailbox.id],
      );
      return inbox.map((id) => rows.find((row) => row.id === id).folder);
    };
    const { page } = agent;
    await page.goto('/mail');
    const rows = page.locator('[data-row]');
    await rows.nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await expect.poll(foldersOf).toEqual(['archive', 'inbox']);
    await expect.poll(() => rows.count()).toBe(1);
    const { asked, release } = await holdNext(page, 'mail.threads.move');
    await page.keyboard.press('e');
    await asked;
    await page.keyboard.press('z');
    release();
    await page.locator(`[data-row=${inbox[1]}]`).waitFor();
    await expect.poll(foldersOf).toEqual(['archive', 'inbox']);
    await page.keyboard.press('z');
    await expect.poll(foldersOf).toEqual(['inbox', 'inbox']);
  });

  test('runs no code of a message and loads remote images only on request', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const { id } = await createMailMessage(app.services, { mailbox });
    const hostile = `
      <meta http-equiv="refresh" content="0;url=https://tracker.example/refresh">
      <link rel="stylesheet" href="https://tracker.example/style.css">
      <style>p { background: url(https://tracker.example/background.png) }</style>
      <script>top.ran = 'script'</script><svg onload="top.ran = 'svg'"></svg>
      <img src="nowhere" onerror="top.ran = 'onerror'"><p onclick="top.ran = 'onclick'">Dear customer</p>
      <a href="javascript:void(top.ran = 'link')">Click here</a> <a href="&#1;javascript:top.ran = 1">or here</a>
      <a href="/settings/assistant">Into the console</a>
      <iframe src="https://tracker.example/frame"></iframe><form action="https://tracker.example/form"><button>Send</button></form>
      <img src="https://tracker.example/pixel.png" alt="">
      <form><math><mtext></form><form><mglyph><style></math><img src onerror="top.ran = 'mutation'"></style></mglyph></form>`;
    await app.services.pool.query('update mail_messages set body = $1 where id = $2', [hostile, id]);
    // Records requests that leave the browser. Domains under `.example` do not exist, so each request fails visibly.
    const asked = new Set<string>();
    const { page, context } = agent;
    page.on('console', (entry) => {
      const { pathname, host } = new URL(entry.location().url || 'about:blank');
      if (entry.text().startsWith('Failed to load') && host === 'tracker.example') asked.add(pathname);
    });
    context.on('requestfailed', (one) => {
      const { pathname, host } = new URL(one.url());
      if (host === 'tracker.example' && one.failure()?.errorText !== 'csp') asked.add(pathname);
    });
    await page.goto(`/mail?message=${id}`);
    const message = page.frameLocator('iframe');
    await message.getByText('Dear customer').click();
    await message.getByText('Click here').click();
    await message.getByText('or here').click();
    expect(await message.getByText('Into the console').getAttribute('href')).toBeNull();
    expect(
      await message.locator('form, button, iframe, svg, math, script, [onclick], [onerror]').count(),
    ).toBe(0);
    await expectAccessible(page);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
    expect([...asked]).toEqual([]);
    expect(context.pages().map((each) => new URL(each.url()).origin)).not.toContain(
      'https://tracker.example',
    );

    // This service fetches them: the browser asks no other server.
    const fetched = new Set<string>();
    page.on('request', (one) => {
      const { pathname, searchParams } = new URL(one.url());
      if (pathname.startsWith('/mail-images/')) fetched.add(searchParams.get('url')!);
    });
    await page.getByRole('button', { name: 'Load images' }).click();
    await expect
      .poll(() => [...fetched].sort())
      .toEqual(['https://tracker.example/background.png', 'https://tracker.example/pixel.png']);
    expect([...asked]).toEqual([]);
    expect(await page.evaluate(() => 'ran' in globalThis)).toBe(false);
  });

  test('shows plain text in the colours of the theme, and a message with colours of its own on white', async () => {
    const agent = await app.agent({ colorScheme: 'dark' });
    const mailbox = await mail(agent);
    const { page } = agent;
    const open = async (content: string) => {
      const { id } = await deliverMail(app.services, {
        raw: {
          text: `From: ann@elsewhere.example\r\nTo: ${mailbox.email}\r\nSubject: Offer\r\n${content}`,
          encoding: 'text',
        },
        mailbox: mailbox.email,
        folder: 'inbox',
      });
      await page.goto(`/mail?message=${id}`);
      const body = page.frameLocator('iframe').locator('body');
      await body.getByText('Dear customer').waitFor();
      return body;
    };
    const coloursOf = (body: Locator) =>
      body.evaluate(({ ownerDocument }) => {
        const { backgroundColor, color } = getComputedStyle(ownerDocument.documentElement);
        return [backgroundColor, color];
      });
    // axe cannot run in the frame. These are the colours of the page around it, which have enough contrast.
    const theme = ['rgb(22, 25, 31)', 'rgb(236, 238, 242)'];
    expect(await coloursOf(await open('\r\nDear customer'))).toEqual(theme);
    const html = '<p style="color: #345">Dear customer</p>';
    const [background] = await coloursOf(await open(`Content-Type: text/html\r\n\r\n${html}`));
    expect(background).toBe('rgb(255, 255, 255)');
  });

  test('shows the files of a message: images inline and enlarged, others to download, and what was not kept', async () => {
    const agent = await app.agent();
    const mailbox = await mail(agent);
    const raw = await readFile(
      new URL('../../packages/domain/src/mail/corpus/attachments.eml', import.meta.url),
    );
    const { id } = await deliverMail(app.services, { raw, mailbox: mailbox.email, folder: 'inbox' });
    const { page } = agent;
    await page.goto(`/mail?message=${id}`);
    const widthOf = (image: Locator) =>
      expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth), { timeout: 30_000 });
    // The text shows the first image, so that the list has only the others.
    await widthOf(page.frameLocator('iframe').getByAltText('Balance')).toBe(48);
    const files = page.getByRole('list', { name: 'Files' });
    expect(await files.getByRole('listitem').count()).toBe(4);
    await page.getByText('1 file was not kept (empty): empty.pdf').waitFor();
    await expectAccessible(page);

    for (const [name, begins] of [
      [/Auszug März 2025 €\.pdf.*PDF/, '%PDF-1.4'],
      [/trades\.csv.*CSV/, 'date;profit'],
    ] as const) {
      const download = page.waitForEvent('download');
      await files.getByRole('link', { name }).click();
      expect((await readFile(await (await download).path(), 'latin1')).slice(0, begins.length)).toBe(begins);
    }
    await files.getByRole('button', { name: 'Grüße.png, enlarge' }).click();
    await widthOf(page.getByRole('dialog').getByAltText('Grüße.png')).toBe(300);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
