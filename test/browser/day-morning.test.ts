import { deliverMail, receiveTraderMessage, withTransaction } from '@firmdesk/domain';
import { createCalendar, createMailbox } from '@firmdesk/testing';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './accessibility.ts';
import { callFrom, describeInBrowser } from './browser.ts';
import { fieldText } from './case-list.ts';
import { createManyTickets } from './create-many-tickets.ts';
import { expectFewFetched, expectFlat } from './switch-tickets.ts';
import {
  choose,
  conversation,
  isLive,
  isOpen,
  LIST,
  openCase,
  reply,
  row,
  signIn,
  useWorkday,
} from './workday.ts';

const WRITES = /trpc\/tickets\.(update|setPriority)/;

/** Each step goes on where the one before it ended. `A3` is the third point of what a console must do right. */
describeInBrowser('the morning of two agents in two firms', () => {
  const day = useWorkday(['Payout', 'Leverage', 'Login', 'Invoice', 'Password']);
  /** The windows of Ada in the first and the second firm, and of Ben in the first one. */
  let ada: Page;
  let adaInSecond: Page;
  let ben: Page;
  beforeAll(() => {
    [ada, ben] = [day.ada.page, day.ben.page];
  });
  const { path } = day;

  const switchFirm = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /switch firm/ }).click();
    await page.getByRole('menuitemcheckbox', { name }).click();
  };
  test('A2 the firm belongs to the window: header, requests, live changes and drafts', async () => {
    const { app, second } = day;
    await ada.goto('/');
    await signIn(ada, day.ada);
    await ada.getByRole('button', { name: app.firm.name }).click();
    await row(ada, 'Payout').waitFor();
    adaInSecond = await day.ada.context.newPage();
    await adaInSecond.goto(path('/tickets'));
    await switchFirm(adaInSecond, second.name);
    await row(adaInSecond, 'Of the second firm').click();
    await isOpen(adaInSecond, 'Of the second firm');
    await reply(adaInSecond).fill('For the second firm');
    await ada.reload();
    await row(ada, 'Payout').waitFor();
    await isLive(ada, adaInSecond);
    await callFrom(ada.context(), app.url, app.firm.slug, 'tickets.setPriority', {
      ticket: day.ids['Payout'],
      priority: 'high',
    });
    await row(ada, 'Payout').getByText('High').waitFor();
    for (const [page, { name, slug }] of [
      [ada, app.firm],
      [adaInSecond, second],
    ] as const) {
      await page
        .getByRole('button', { name: /switch firm/ })
        .filter({ hasText: name })
        .waitFor();
      expect(new URL(page.url()).pathname).toContain(`/firms/${slug}/tickets`);
    }
    expect(await row(adaInSecond, 'Payout').count()).toBe(0);
    expect(await row(ada, 'Of the second firm').count()).toBe(0);
    await adaInSecond.reload();
    await expect.poll(() => reply(adaInSecond).evaluate(fieldText)).toBe('For the second firm');
    // A browser draws a page behind another one of its window rarely.
    await ada.bringToFront();
  });

  test('A11 an account that may not see tickets lands on a page that it may see', async () => {
    await ben.goto(path('/tickets'));
    await row(ben, 'Payout').waitFor();
    await switchFirm(ben, day.second.name);
    await ben.waitForURL(`**/firms/${day.second.slug}/mail`);
    await ben.getByRole('heading', { level: 1 }).first().waitFor();
  });

  test('A1 keys act on the highlighted ticket, and A9 the next one opens after resolving', async () => {
    await ada.goto(path(LIST));
    await row(ada, 'Payout').waitFor();
    await ada.keyboard.press('j');
    await isOpen(ada, 'Payout');
    await ada.keyboard.type('je');
    await isOpen(ada, 'Login');
    await ada.keyboard.type('jrhello, please wait');
    await isOpen(ada, 'Invoice');
    await expect.poll(() => reply(ada).evaluate(fieldText)).toBe('hello, please wait');
    await expect.poll(() => day.ticket('Leverage')).toMatchObject({ status: 'resolved' });
    for (const subject of ['Payout', 'Login', 'Invoice'])
      expect(await day.ticket(subject)).toMatchObject({ status: 'awaiting_admin' });
  });

  test('A3 says offline what is not saved, opens every page, and sends once', async () => {
    await openCase(ada, day, 'Login');
    const hasCodeOf = (name: string) =>
      ada.evaluate(
        (part) => performance.getEntriesByType('resource').some((entry) => entry.name.includes(part)),
        name,
      );
    for (const name of ['mail-page', 'calendar-page']) await expect.poll(() => hasCodeOf(name)).toBe(true);
    await ada.waitForLoadState('networkidle');
    const keys = new Set<string>();
    ada.on('request', (request) => {
      if (WRITES.test(request.url())) keys.add(request.headers()['idempotency-key']!);
    });
    const isUnsaved = ada.getByText('1 change isn’t saved yet.');
    await day.ada.context.setOffline(true);
    await choose(ada, 'p', 'Urgent');
    await isUnsaved.waitFor();
    await ada.locator('#ticket header').getByText('Not saved').waitFor();
    const pages = ada.getByRole('navigation', { name: 'Pages' });
    for (const name of ['Mail', 'Calendar']) {
      await pages.getByRole('link', { name }).click();
      await expect.poll(() => ada.title()).toBe(`${name} · Firmdesk`);
    }
    await ada.route(WRITES, (route) => route.abort());
    await day.ada.context.setOffline(false);
    await openCase(ada, day, 'Login');
    await ada.getByRole('button', { name: 'Priority: Urgent' }).waitFor();
    await isUnsaved.waitFor();
    expect(await day.ticket('Login')).toMatchObject({ priority: 'normal' });
    await ada.unroute(WRITES);
    await ada.reload();
    await expect.poll(() => day.ticket('Login')).toMatchObject({ priority: 'urgent' });
    await isUnsaved.waitFor({ state: 'hidden' });
    expect(keys.size).toBe(1);
  });

  test('A4 an own message stays, also after leaving its ticket and coming back', async () => {
    await openCase(ben, day, 'Payout');
    const gate = Promise.withResolvers<void>();
    await ben.route(/trpc\/tickets\.reply/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    const text = conversation(ben).getByText('Paid on Monday.');
    await reply(ben).fill('Paid on Monday.');
    await reply(ben).press('Control+Enter');
    await text.waitFor();
    await ben.keyboard.press('Escape');
    await ben.keyboard.press('Escape');
    await ben.waitForURL((url) => url.pathname === path('/tickets'));
    await ben.goBack();
    await isOpen(ben, 'Payout');
    expect(await text.count()).toBe(1);
    expect(await day.replies('Payout')).toEqual([]);
    gate.resolve();
    await ben.getByRole('article', { name: 'Message, Ben Best' }).getByText('Paid on Monday.').waitFor();
    expect(await text.count()).toBe(1);
  });

  test('A12 a reply that a message has overtaken is asked about, auto-reply knows it, and mail is live', async () => {
    const { app, ada: agent, ben: colleague } = day;
    await openCase(ben, day, 'Invoice');
    await ben.getByRole('button', { name: 'AI on' }).waitFor();
    await openCase(ben, day, 'Payout');
    await ben.getByText('Off: a teammate has replied.').waitFor();
    await ben.getByRole('button', { name: 'AI off' }).click();
    const autoReply = ben.getByRole('menuitemcheckbox', { name: 'Auto-reply', checked: false });
    expect(await autoReply.getAttribute('aria-disabled')).toBe('true');
    await ben.keyboard.press('Escape');

    await colleague.context.setOffline(true);
    await reply(ben).fill('Here it is.');
    await reply(ben).press('Control+Enter');
    await ben.getByRole('article', { name: 'Your reply, not sent' }).waitFor();
    await withTransaction(app.services, (ctx) =>
      receiveTraderMessage(ctx, {
        workspace: app.firm.slug,
        ticket: day.ids['Payout']!,
        from: app.trader.email,
        body: 'I have found it.',
        via_email: false,
      }),
    );
    await colleague.context.setOffline(false);
    const question = ben.getByRole('dialog', { name: '1 new message' });
    await question.getByText('I have found it.').waitFor();
    expect(await day.replies('Payout')).toEqual(['Paid on Monday.']);
    await question.getByRole('button', { name: 'Send anyway' }).click();
    await expect.poll(() => day.replies('Payout')).toEqual(['Paid on Monday.', 'Here it is.']);

    const mailbox = await createMailbox(app.services, { firm: app.firm, writes: [agent] });
    const deliver = (subject: string) =>
      deliverMail(app.services, {
        raw: {
          text: `From: ann@elsewhere.example\r\nTo: ${mailbox.email}\r\nMessage-ID: <${subject}@elsewhere.example>\r\nSubject: ${subject}\r\n\r\nHello`,
          encoding: 'text',
        },
        mailbox: mailbox.email,
        folder: 'inbox',
      });
    await deliver('Offer');
    await ada.goto(path('/mail'));
    await ada.getByRole('link', { name: /Offer/ }).waitFor();
    await isLive(ada);
    await deliver('Contract');
    await ada.getByRole('link', { name: /Contract/ }).click();
    await ada.getByRole('heading', { name: 'Contract' }).first().waitFor();
  });

  test('A9 the next message opens after archiving, a click in the month creates, dialogs and a phone fit', async () => {
    await ada.keyboard.press('e');
    await ada.getByRole('heading', { name: 'Offer' }).first().waitFor();
    await ada.getByRole('link', { name: /Contract/ }).waitFor({ state: 'detached' });

    await createCalendar(day.app.services, { firm: day.app.firm, owner: day.ada });
    await ada.setViewportSize({ width: 1440, height: 900 });
    await ada.goto(path('/calendar?view=month'));
    const week = ada.getByRole('row', { name: /^Week of/ }).nth(2);
    await week.waitFor();
    const box = (await week.boundingBox())!;
    await ada.mouse.click(box.x + box.width / 14, box.y + box.height - 10);
    const dialog = ada.getByRole('dialog', { name: 'New event' });
    await dialog.waitFor();
    await ada.keyboard.type('Stand-up');
    expect(await ada.getByLabel('Title').evaluate(fieldText)).toBe('Stand-up');
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      await ada.setViewportSize({ width, height });
      await expect
        .poll(async () => {
          const { x, y, width: w, height: h } = (await dialog.boundingBox())!;
          return x >= 0 && y >= 0 && x + w <= width && y + h <= height;
        })
        .toBe(true);
    }
    await expectAccessible(ada);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'hidden' });
    // On a phone the calendar opens with one day, and the navigation is labelled.
    await ada.goto(path('/calendar'));
    await ada.getByRole('grid', { name: 'Day' }).waitFor();
    const link = ada.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Mail' });
    expect(await link.getByText('Mail', { exact: true }).first().isVisible()).toBe(true);
    const target = (await link.boundingBox())!;
    expect(Math.min(target.width, target.height)).toBeGreaterThanOrEqual(43.5);
    await ada.setViewportSize({ width: 1280, height: 800 });
  });

  test('A8 all times are in the time zone of the account', async () => {
    await ada.goto(path('/account/sessions'));
    await ada.getByRole('button', { name: /^Time zone/ }).click();
    await ada.getByPlaceholder('City or region').fill('tokyo');
    await ada.keyboard.press('Enter');
    await ada.getByText('Times are now shown in Asia/Tokyo').waitFor();
    await openCase(ada, day, 'Password');
    const time = ada.getByRole('article').locator('time');
    const at = new Date((await time.getAttribute('datetime'))!);
    const format = { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' } as const;
    await expect.poll(() => time.textContent()).toBe(new Intl.DateTimeFormat('en-GB', format).format(at));
    await ada.goto(path('/calendar'));
    await ada.getByText('Tokyo time').waitFor();
  });

  test('A10 a held key opens where it stops, and memory and listeners stay flat over switches', async () => {
    const trader = await createManyTickets(day.app, 30, 'dm');
    await ada.goto(path(`/tickets?q=${trader.id}&sort=-created_at`));
    await row(ada, 'Case 1').first().waitFor();
    await expectFewFetched(ada, 30, () =>
      ada.getByRole('heading', { name: /^Case 30\b/, level: 1 }).waitFor(),
    );
    await expectFlat(ada, { rows: 20, times: 20 });
  });
});
