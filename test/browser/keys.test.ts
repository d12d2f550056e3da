import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { fieldText, isOpen, openCaseList, replyField, statesOf } from './case-list.ts';

describeInBrowser('keys typed at any speed', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  for (const delay of [0, 40, 130, 250]) {
    test(`resolves the highlighted ticket, with ${delay} ms between the keys`, async () => {
      const { page, ids } = await openCaseList(app, 4);
      await page.keyboard.type('je', { delay });
      await expect
        .poll(async () => (await statesOf(app, ids)).map(({ status }) => status))
        .toEqual(['awaiting_admin', 'resolved', 'awaiting_admin', 'awaiting_admin']);
      // The next ticket opens.
      await isOpen(page, 2);
    });

    test(`types into the draft and the menu of the highlighted ticket, with ${delay} ms between the keys`, async () => {
      const { page, ids } = await openCaseList(app, 4);
      // Each of these letters is a shortcut elsewhere.
      await page.keyboard.type('jrjeep', { delay });
      await isOpen(page, 1);
      await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('jeep');
      await page.keyboard.press('Escape');
      await page.keyboard.type('jpu', { delay });
      await page.keyboard.press('Enter');
      await page.keyboard.type('rtask', { delay });
      await isOpen(page, 2);
      await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('task');
      await expect
        .poll(async () => (await statesOf(app, ids)).map(({ priority }) => priority))
        .toEqual(['normal', 'normal', 'urgent', 'normal']);
      expect((await statesOf(app, ids)).map(({ status }) => status)).toEqual(Array(4).fill('awaiting_admin'));
    });
  }

  test('undoes resolving with z, and a priority with the button', async () => {
    const { page, ids } = await openCaseList(app, 3);
    const states = async () =>
      (await statesOf(app, ids)).map(({ status, priority }) => `${status} ${priority}`);
    // It can be undone for eight seconds only: no other wait comes before the undo.
    await page.keyboard.press('e');
    await expect.poll(states).toContain('resolved normal');
    await page.keyboard.press('z');
    await isOpen(page, 0);
    await expect.poll(states).toEqual(Array(3).fill('awaiting_admin normal'));
    await page
      .getByRole('status')
      .filter({ hasText: /^Undone: / })
      .waitFor({ state: 'attached' });
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect.poll(states).toContain('awaiting_admin urgent');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(states).toEqual(Array(3).fill('awaiting_admin normal'));
    await page.keyboard.type('rhello');
    await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('hello');
  });

  test('lets keys wait for a ticket that loads slowly, in order', async () => {
    const { page, ids } = await openCaseList(app, 6);
    const gate = Promise.withResolvers<void>();
    await page.route(/trpc\/[^?]*tickets\.(get|messages)/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.keyboard.press('End');
    await page.keyboard.type('rgood morning');
    expect(await replyField(page).count()).toBeLessThanOrEqual(1);
    gate.resolve();
    await isOpen(page, 5);
    await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('good morning');
    expect((await statesOf(app, ids)).every(({ status }) => status === 'awaiting_admin')).toBe(true);
  });
});
