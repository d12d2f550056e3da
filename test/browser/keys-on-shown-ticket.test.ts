import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ConsoleUnderTest, describeInBrowser, openConsole } from './browser.ts';
import { fieldText, isOpen, openCaseList, replyField, statesOf } from './case-list.ts';

describeInBrowser('keys on the shown ticket', () => {
  let app: ConsoleUnderTest;
  beforeAll(async () => {
    app = await openConsole(inject('postgresUrl'));
  });
  afterAll(() => app?.[Symbol.asyncDispose]());

  test('acts on the ticket that is shown in place of a merged one, also if that loads slowly', async () => {
    const { page, ids, ...agent } = await openCaseList(app, 5);
    await app.call(agent, 'tickets.merge', { ticket: ids[1], into: ids[4] });
    await page.reload();
    // Closed tickets are last.
    await page.getByRole('option', { name: /Case 1.*Closed/ }).waitFor();
    await isOpen(page, 0);
    const gate = Promise.withResolvers<void>();
    await page.route(new RegExp(`tickets\\.get[^/]*${ids[4]}`), async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.getByRole('listbox', { name: 'Tickets' }).focus();
    await page.keyboard.press('End');
    await page.keyboard.type('rtask');
    await page.getByText('was merged into this ticket').waitFor();
    gate.resolve();
    await isOpen(page, 4);
    await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('task');
    await page.keyboard.press('Escape');
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await statesOf(app, ids))[4]!.priority).toBe('urgent');
    // The changed ticket goes to its place in the queue. The row of the merged one stays highlighted.
    await page.locator('[aria-posinset="1"]', { hasText: 'Case 4' }).waitFor();
    await page.keyboard.type('k');
    await isOpen(page, 3);
    // Now it is loaded.
    await page.keyboard.type('ji');
    await page.getByRole('button', { name: 'Assignee: Robin Example' }).waitFor();
    expect((await statesOf(app, ids)).map(({ priority }) => priority)).toEqual([
      ...Array(4).fill('normal'),
      'urgent',
    ]);
  });

  test('acts on the ticket that is shown in place of one that a colleague has merged since it was seen', async () => {
    const { page, ids } = await openCaseList(app, 5);
    await page.keyboard.press('j');
    await isOpen(page, 1);
    await page.keyboard.press('k');
    await isOpen(page, 0);
    const colleague = await app.agent();
    await app.call(colleague, 'tickets.merge', { ticket: ids[1], into: ids[4] });
    await page.getByRole('option', { name: /Case 1.*Closed/ }).waitFor();
    await page.keyboard.type('jrtask');
    await isOpen(page, 4);
    await expect.poll(() => replyField(page).evaluate(fieldText)).toBe('task');
  });

  test('acts on the ticket that covers the list on a narrow screen', async () => {
    const { page, ids } = await openCaseList(app, 3, { width: 800, height: 900 });
    await page.keyboard.type('je');
    await expect
      .poll(async () => (await statesOf(app, ids)).map(({ status }) => status))
      .toEqual(['awaiting_admin', 'resolved', 'awaiting_admin']);
  });

  test('acts on the selection only while the list is visible', async () => {
    const { page, ids } = await openCaseList(app, 3, { width: 800, height: 900 });
    const selected = page.getByRole('region', { name: 'Selected tickets' });
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.keyboard.press('J');
    await selected.getByText('2 selected').waitFor();
    await page.keyboard.press('Enter');
    await isOpen(page, 1);
    // The ticket covers the list: keys that select have no effect, the others act on it.
    await page.keyboard.type('Xe');
    await isOpen(page, 2);
    await page.keyboard.press('Escape');
    await selected.getByText('2 selected').waitFor();
    await page.keyboard.type('pu');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await statesOf(app, ids)).map(({ status, priority }) => `${status} ${priority}`))
      .toEqual(['awaiting_admin urgent', 'resolved urgent', 'awaiting_admin normal']);
  });
});
