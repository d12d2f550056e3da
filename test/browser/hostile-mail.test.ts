import { deliverMail } from '@firmdesk/domain';
import { createMailbox, createMailMessage } from '@firmdesk/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';

const MEGABYTE = 1_000_000;
const filled = (unit: string, length = MEGABYTE) => unit.repeat(Math.ceil(length / unit.length));

/** The tab must not stand still for longer. Generous, because the machine is busy: each of these mails took minutes, or at least 6 s. */
const MAX_PAUSE_MS = 4_000;

const hostile = {
  'CSS that begins a URL again and again': `<style>a{background:${filled('url(')}</style>`,
  'blanks in the URL of a style': `<style>a{background:url(${filled(' ')}</style>`,
  'rules that match everything': `<style>${filled(':is(a,b) ~ *:not(p) * {color:red}')}</style>${filled('<p>x</p>', 50_000)}`,
  'rules in rules': `<style>${filled('a{', 90_000)}</style>`,
  'rules in rules that double': `<style>${filled('& &,&~&{', 400)}a{color:red}</style>${filled('<p>x</p>', 50_000)}`,
  'conditions in conditions': `<style>@supports ${filled('(', 16_000)}a:b){}</style>`,
  'selectors in selectors': `<style>${filled(':is(', 90_000)}</style>`,
  'media in media': `<style>${filled('@media all{', 90_000)}</style>`,
  'short rules that match everything': `<style>${filled('p{a:b}', 90_000)}</style>${filled('<p>x</p>', 50_000)}`,
  'mixed colours in a style attribute': `<p style="color:${'color-mix(in srgb,red,'.repeat(90)}">`,
  'mixed colours behind an attribute': `<p title=">"style=color:${'color-mix(in&#32;srgb,red,'.repeat(90)}>`,
  'mixed colours of escapes and entities': `<p\nSTYLE = 'color:${String.raw`&#99;ol\6fr-mix(in srgb,red,`.repeat(90)}'>`,
  'mixed colours in a style': `<style>p{color:${'color-mix(in srgb,red,'.repeat(90)}</style>`,
  'sizes of anchors in each other': `<p style="width:${'anchor-size(width,'.repeat(90)}">`,
  'sizes of anchors in a style': `<style>p{margin:${String.raw`anch\6fr-size(width,`.repeat(90)}</style>`,
  'anchors in anchors': `<p style="top:${'ANCHOR(top,'.repeat(90)}">`,
  'palettes in palettes': `<p style="font-palette:${'palette-mix(in lab,'.repeat(90)}">`,
  'blanks in a style attribute': `<p style="background:url(${filled(' ')}">`,
  'blanks before a content id': filled(`<img src=${' '.repeat(100_000)}`),
  'blanks before many content ids': filled(`\tsrc${' '.repeat(1_000)}`),
  'blanks in a content id': `<img src="cid:${filled(' ')}x">`,
  'bold text in bold text': filled('<b>'),
  'open blocks': filled('<div>'),
  'tables in tables': filled('<table><td>'),
  'an element with many attributes': `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}`).join(' ')}>`,
  'many elements with attributes': filled('<p a b c d e f g h i j k l m>'),
  'many links': filled('<a href=//x>'),
  'quotes with text behind them': `${filled('<p class=gmail_quote>', 200_000)}${filled('длинный ', 290_000)}`,
  'opening brackets': filled('<'),
  'blanks only': filled(' '),
};

const withImage = (to: string) => `From: ann@elsewhere.example
To: ${to}
Subject: Offer
MIME-Version: 1.0
Content-Type: multipart/related; boundary=part

--part
Content-Type: text/html

<img src="cid:logo">
--part
Content-Type: image/gif
Content-ID: <logo>
Content-Transfer-Encoding: base64

R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7
--part--
`;

describeInBrowser('hostile mail', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('does not stop the tab, and is shown in part with a notice', async () => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { page } = agent;
    // With a file that has a content id, so that the images of the text are searched.
    const { id } = await deliverMail(app.services, {
      raw: { text: withImage(mailbox.email), encoding: 'text' },
      mailbox: mailbox.email,
      folder: 'inbox',
    });
    for (const [name, content] of Object.entries(hostile)) {
      const body = `<p>Dear customer</p>${content}`;
      await app.services.pool.query('update mail_messages set body = $1 where id = $2', [body, id]);
      await page.goto(`/mail?message=${id}`, { waitUntil: 'commit' });
      await page.evaluate(() => {
        let last = performance.now();
        const state = globalThis as typeof globalThis & { longestPause: number };
        state.longestPause = 0;
        setInterval(() => {
          const now = performance.now();
          state.longestPause = Math.max(state.longestPause, now - last);
          last = now;
        }, 10);
      });
      await page.frameLocator('iframe').getByText('Dear customer').waitFor({ state: 'attached' });
      // A click is answered once the body is cleaned.
      await page.getByRole('article').click({ position: { x: 1, y: 1 } });
      const pause = await page.evaluate(
        () => (globalThis as typeof globalThis & { longestPause: number }).longestPause,
      );
      expect(pause, name).toBeLessThan(MAX_PAUSE_MS);
    }
  });

  test('is shown whole as text on request', async () => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { page } = agent;
    const { id } = await createMailMessage(app.services, { mailbox });
    const body = `<style>p{color:red}</style><p>Dear customer</p>${'<p>Line &amp; line</p>'.repeat(20_000)}<!-- note --><p>Last &lt;words&gt;</p>`;
    await app.services.pool.query('update mail_messages set body = $1 where id = $2', [body, id]);
    await page.goto(`/mail?message=${id}`);
    await page.getByText('This message is too large to be shown whole.').waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByText('Dear customer').waitFor();
    expect(await frame.getByText('Last <words>').count()).toBe(0);
    await page.getByRole('button', { name: 'Show all as text' }).click();
    await frame.getByText('Last <words>').waitFor({ state: 'attached' });
    const text = (await frame.locator('body').textContent()) ?? '';
    expect(text.match(/Line & line/g)).toHaveLength(20_000);
    expect(text).not.toMatch(/color:red|note/);
    await page.getByRole('button', { name: 'Show with formatting' }).click();
    await frame.getByText('Dear customer').waitFor();
  });

  test('leaves styles and texts that name them as they are', async () => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { page } = agent;
    const { id } = await createMailMessage(app.services, { mailbox });
    const body = `<style><!-- p { color: rgb(1, 2, 3) } --></style><p @a="1" title="a style = b">Set style = bold</p>
<div style="color: rgb(4, 5, 6)">Styled</div>
<div style="${'background: linear-gradient(rgba(0, 0, 0, 0.1), hsl(0 0% 0%)); width: calc(100% - (1px + 2px)); '.repeat(10)}color: rgb(7, 8, 9)">Decorated</div>`;
    await app.services.pool.query('update mail_messages set body = $1 where id = $2', [body, id]);
    await page.goto(`/mail?message=${id}`);
    const frame = page.frameLocator('iframe');
    const colour = (text: string) =>
      frame.getByText(text).evaluate((element) => getComputedStyle(element).color);
    expect(await colour('Set style = bold')).toBe('rgb(1, 2, 3)');
    expect(await colour('Styled')).toBe('rgb(4, 5, 6)');
    expect(await colour('Decorated')).toBe('rgb(7, 8, 9)');
    expect(await frame.locator('p').getAttribute('title')).toBe('a style = b');
    expect(await page.getByText('This message is too large to be shown whole.').count()).toBe(0);
  });

  test.each([
    ['a URL in CSS', '<style>p{background:url(https://tracker.example/a.png)}</style><p>Hello</p>'],
    ['an escaped URL', '<style>p{background:\\75rl("https://tracker.example/a.png")}</style><p>Hello</p>'],
    [
      'a URL behind comments',
      '<style>p{background:/**/url(  "//tracker.example/a.png")}</style><p>Hello</p>',
    ],
    [
      'a set of images',
      '<style>p{background:image-set("https://tracker.example/a.png" 1x)}</style><p>Hello</p>',
    ],
    ['a style attribute', '<p style="background:url(\'https://tracker.example/a.png\')">Hello</p>'],
  ])('remote images are noticed in %s', async (_, body) => {
    const agent = await app.agent();
    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const { page } = agent;
    const { id } = await createMailMessage(app.services, { mailbox });
    await app.services.pool.query('update mail_messages set body = $1 where id = $2', [body, id]);
    await page.goto(`/mail?message=${id}`);
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    await page.getByRole('button', { name: 'Load images' }).waitFor();
    await expectAccessible(page);
  });
});
